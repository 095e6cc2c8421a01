package threadgauge.model.plan

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlinx.serialization.json.JsonNames

/**
 * Compilation time of all compiler threads ÷ elapsed time up to which a process counts as compiled. A tenth of one
 * core: below what the tolerance of the rates of a warm-up can show.
 */
const val QUIET_COMPILER_SHARE = 0.10

/** The warm-up curve of one process. */
@Serializable
data class WarmUp(
    @JsonNames("stretches") val iterations: List<WarmUpIteration>,
    val steady: Boolean,
    val millis: Double,
    /** Reason for the end; null in records before schema 3, which have a [reason] instead. */
    val end: WarmUpEnd? = null,
    /** What was not steady when the budget was used up. */
    val unsteady: List<UnsteadyPart> = emptyList(),
    /** In records before schema 3: the reason for the end, in words. */
    val reason: String? = null,
)

/**
 * How warm a process was: the rate at which it was measured as a share of the plateau that its warm-up curve was
 * heading for, with a 95 % interval. 0.97 is 3 % below; never above 1.
 */
@Serializable
data class Plateau(val share: Double, val low: Double, val high: Double)

/** Reason for the end of a warm-up. */
@Serializable
enum class WarmUpEnd { STEADY, NONE_ASKED, BUDGET_USED }

/** Something that was not steady. */
@Serializable
sealed interface UnsteadyPart {
    /** The rate of [situation] is not flat. */
    @Serializable
    @SerialName("rate-not-flat")
    data class RateNotFlat(val situation: String, val shape: CurveShape) : UnsteadyPart

    /** All compiler threads together in the last cycle, as a share of its time of load. */
    @Serializable
    @SerialName("compiler-busy")
    data class CompilerBusy(val share: Double) : UnsteadyPart

    /** Growth of compiled code in the last cycle, as a share. */
    @Serializable
    @SerialName("code-growing")
    data class CodeGrowing(val share: Double) : UnsteadyPart
}

/** Shape of the end of a warm-up curve. Only [FLAT] is steady. */
@Serializable
enum class CurveShape {
    FLAT,

    /** Too few iterations. */
    TOO_SHORT,

    /** No answers. */
    SILENT,
    RISING,
    FALLING,

    /** The last iteration is far from the median. */
    JUMPED,

    /** The iterations vary too much. */
    ERRATIC,
}

/** One iteration of load on one situation while warming up. */
@Serializable
data class WarmUpIteration(
    val cycle: Int,
    val situation: String,
    /** From the start of the warm-up. */
    val atMillis: Double,
    val answeredPerSecond: Double,
    /** Milliseconds for which the target's compiler worked since the previous iteration, over all its threads. */
    val compileMillis: Double,
    /** Compiled code in the target after the iteration; null where its JVM does not report it. */
    val codeCacheBytes: Long? = null,
)
