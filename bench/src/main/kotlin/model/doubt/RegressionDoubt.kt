package threadgauge.model.doubt

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** Doubts about a comparison of records as a whole. Lists hold the distinct values of each side. */
@Serializable
sealed interface RegressionDoubt : DoubtFacts {
    @Serializable
    @SerialName("other-machine")
    data class OtherMachine(val base: List<MachineName>, val new: List<MachineName>) : RegressionDoubt {
        override val id get() = DoubtId.OTHER_MACHINE
    }

    @Serializable
    @SerialName("other-java")
    data class OtherJava(val base: List<String>, val new: List<String>) : RegressionDoubt {
        override val id get() = DoubtId.OTHER_JAVA
    }

    @Serializable
    @SerialName("other-kernel")
    data class OtherKernel(val base: List<String>, val new: List<String>) : RegressionDoubt {
        override val id get() = DoubtId.OTHER_KERNEL
    }

    /** Whether idle cores were kept awake, which older versions did not do. */
    @Serializable
    @SerialName("other-cores")
    data class OtherCores(val base: List<Boolean>, val new: List<Boolean>) : RegressionDoubt {
        override val id get() = DoubtId.OTHER_CORES
    }

    /** Versions of Threadgauge. */
    @Serializable
    @SerialName("other-version")
    data class OtherVersion(val base: List<String>, val new: List<String>) : RegressionDoubt {
        override val id get() = DoubtId.OTHER_VERSION
    }

    /** Both sides were measured one after the other, in fewer than [needed] runs each. */
    @Serializable
    @SerialName("not-interleaved")
    data class NotInterleaved(val needed: Int) : RegressionDoubt {
        override val id get() = DoubtId.NOT_INTERLEAVED
    }
}

/** Identity of a machine. */
@Serializable
data class MachineName(val cpu: String, val cores: Int)
