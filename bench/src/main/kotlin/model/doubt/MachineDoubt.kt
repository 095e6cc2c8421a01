package threadgauge.model.doubt

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** Doubts about the machine while it was measured. */
@Serializable
sealed interface MachineDoubt : DoubtFacts {
    /** Share of the machine's time that the hypervisor took. */
    @Serializable
    @SerialName("stolen-time")
    data class StolenTime(val share: Double, val limit: Double) : MachineDoubt {
        override val id get() = DoubtId.STOLEN_TIME
    }

    /** Share of the machine that other programs used. */
    @Serializable
    @SerialName("other-programs")
    data class OtherPrograms(val share: Double, val limit: Double) : MachineDoubt {
        override val id get() = DoubtId.OTHER_PROGRAMS
    }

    /**
     * Change of the reference loop's time from before the load to after it, as a share; negative where it became
     * faster.
     */
    @Serializable
    @SerialName("reference-changed")
    data class ReferenceChanged(val change: Double, val limit: Double) : MachineDoubt {
        override val id get() = DoubtId.NOISE
    }

    /** Share of the time around the load in which another program ran on the target's core. */
    @Serializable
    @SerialName("core-taken")
    data class CoreTaken(val share: Double, val limit: Double) : MachineDoubt {
        override val id get() = DoubtId.NOISE
    }

    /** Frequency of the target's core before and after the load. */
    @Serializable
    @SerialName("core-speed")
    data class CoreSpeed(val megahertzBefore: Double, val megahertzAfter: Double, val limit: Double) : MachineDoubt {
        override val id get() = DoubtId.CORE_SPEED
    }

    /** Pages that were swapped in or out. */
    @Serializable
    @SerialName("swapping")
    data class Swapping(val pages: Long, val limit: Long) : MachineDoubt {
        override val id get() = DoubtId.SWAPPING
    }

    /** Files that the target had open, of the [maxFiles] that it may. */
    @Serializable
    @SerialName("file-limit")
    data class FileLimit(val open: Long, val maxFiles: Long, val limit: Double) : MachineDoubt {
        override val id get() = DoubtId.FILE_LIMIT
    }
}
