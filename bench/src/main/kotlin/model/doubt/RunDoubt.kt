package threadgauge.model.doubt

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import threadgauge.model.RunState
import threadgauge.model.failure.Failure
import threadgauge.model.plan.TurnsReason

/** Doubts about the whole run. */
@Serializable
sealed interface RunDoubt : DoubtFacts {
    /** Server and agent shared the same cores. */
    @Serializable
    @SerialName("not-pinned")
    data object NotPinned : RunDoubt {
        override val id get() = DoubtId.NOT_PINNED
    }

    /** Share of the machine that was busy just before the run. */
    @Serializable
    @SerialName("busy-machine")
    data class BusyMachine(val share: Double, val limit: Double) : RunDoubt {
        override val id get() = DoubtId.BUSY_MACHINE
    }

    /**
     * The run ended in [state]. [failure] is null where the user interrupted it, and where it is in progress or was
     * killed.
     */
    @Serializable
    @SerialName("not-complete")
    data class NotComplete(val state: RunState, val failure: Failure?) : RunDoubt {
        override val id get() = DoubtId.NOT_COMPLETE
    }

    /** The run was resumed [times] times; [kept] trials were measured before. */
    @Serializable
    @SerialName("carried-on")
    data class CarriedOn(val times: Int, val kept: Int) : RunDoubt {
        override val id get() = DoubtId.CARRIED_ON
    }

    /** Stacks were measured one after the other, although they should have been measured side by side. */
    @Serializable
    @SerialName("in-turns")
    data class InTurns(val why: TurnsReason) : RunDoubt {
        override val id get() = DoubtId.IN_TURNS
    }

    /**
     * The run stood still in [times] measurements, for [longestMillis] at most; [kept] of them could not be measured
     * anew.
     */
    @Serializable
    @SerialName("paused")
    data class Paused(val times: Int, val longestMillis: Double, val kept: Int) : RunDoubt {
        override val id get() = DoubtId.PAUSED
    }

    /** Nothing was warmed up before it was measured. */
    @Serializable
    @SerialName("measured-cold")
    data object MeasuredCold : RunDoubt {
        override val id get() = DoubtId.MEASURED_COLD
    }

    /**
     * Fewer than [needed] trials of a stack were planned. [minutes] is about how long the run would have needed for
     * them; null where time was not what it lacked.
     */
    @Serializable
    @SerialName("indicative")
    data class Indicative(val needed: Int, val minutes: Int? = null) : RunDoubt {
        override val id get() = DoubtId.INDICATIVE
    }
}
