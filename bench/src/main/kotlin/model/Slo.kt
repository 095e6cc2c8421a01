package threadgauge.model

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlinx.serialization.json.JsonNames

/** A service-level objective: goals that must all be met. Never empty. */
@Serializable
data class Slo(
    val latencies: List<LatencyGoal> = emptyList(),
    /** Maximum share of failed requests among all that were due, 0 to 1; null without such a goal. */
    @JsonNames("mostErrors") val maxErrors: Double? = null,
    /**
     * Minimum throughput, in correct answers per second; null without such a goal. A search for the knee has none: the
     * rate is what it looks for.
     */
    val minPerSecond: Double? = null,
    /** Goals of scenarios and of their steps. */
    val ofSteps: List<SloGoal.OfStep> = emptyList(),
) {
    /** Each goal by itself: latencies in their order, then errors, then throughput, then those of steps. */
    val goals: List<SloGoal>
        get() = latencies.map { SloGoal.Latency(it.measure, it.maxMicros) } +
            listOfNotNull(maxErrors?.let(SloGoal::Errors), minPerSecond?.let(SloGoal::Throughput)) + ofSteps

    companion object {
        /** The default: a tenth of a second feels immediate (Nielsen, *Usability Engineering*, 1993, section 5.5). */
        val USUAL = Slo(listOf(LatencyGoal(LatencyMeasure.P99, 100_000.0)), maxErrors = 0.001)
    }
}

/** [measure] of latency, from the intended time, must be no longer than [maxMicros]. */
@Serializable
data class LatencyGoal(val measure: LatencyMeasure, @JsonNames("mostMicros") val maxMicros: Double)

/** One goal of a [Slo], by itself. */
@Serializable
sealed interface SloGoal {
    /** As [LatencyGoal]. */
    @Serializable
    @SerialName("latency")
    data class Latency(val measure: LatencyMeasure, val maxMicros: Double) : SloGoal

    /** Failed requests must be at most this share of all that were due, 0 to 1. */
    @Serializable
    @SerialName("errors")
    data class Errors(val maxShare: Double) : SloGoal

    /** There must be at least so many correct answers per second. */
    @Serializable
    @SerialName("throughput")
    data class Throughput(val minPerSecond: Double) : SloGoal

    /**
     * [goal], a latency or errors, of the requests of [step] in [scenario]; without a step, of whole passes: how long
     * completed ones took, and which share of those that ended by themselves failed.
     */
    @Serializable
    @SerialName("of-step")
    data class OfStep(val scenario: String, val step: String?, val goal: SloGoal) : SloGoal
}

/** What is demanded, of whatever. */
val SloGoal.demand: SloGoal get() = if (this is SloGoal.OfStep) goal else this

/**
 * The measure of a latency goal. [id] is its spelling in goals. [enough] is the number of answers for a reliable
 * value: ten of them lie beyond the percentile.
 */
@Serializable
enum class LatencyMeasure(val id: String, val enough: Int) {
    MEAN("mean", 20),
    P50("p50", 20),
    P90("p90", 100),
    P95("p95", 200),
    P99("p99", 1_000),
    P999("p99.9", 10_000),
    MAX("max", 1),
}

/** In microseconds; null where there were too few answers for it, or where an older record does not have it. */
fun LatencyMeasure.of(latency: Latency): Double? = when (this) {
    LatencyMeasure.MEAN -> latency.meanMicros
    LatencyMeasure.P50 -> latency.p50Micros
    LatencyMeasure.P90 -> latency.p90Micros
    LatencyMeasure.P95 -> latency.p95Micros
    LatencyMeasure.P99 -> latency.p99Micros
    LatencyMeasure.P999 -> latency.p999Micros
    LatencyMeasure.MAX -> latency.maxMicros
}

/** In the form of the command line and of files: "p99<100ms, errors<0.1%". */
fun Slo.notation(): String = goals.joinToString(", ") { it.notation() }

/** In the same form: "p99<100ms", "errors<=0%", "throughput>200/s". */
fun SloGoal.notation(): String = when (this) {
    is SloGoal.Latency -> "${measure.id}<${time(maxMicros)}"
    is SloGoal.Errors -> if (maxShare == 0.0) "errors<=0%" else "errors<${plain(maxShare * 100)}%"
    is SloGoal.Throughput -> "throughput>${plain(minPerSecond)}/s"
    is SloGoal.OfStep -> "${listOfNotNull(scenario, step).joinToString(".")} ${goal.notation()}"
}

private fun time(micros: Double) = when {
    micros >= 1e6 -> "${plain(micros / 1e6)}s"
    micros >= 1e3 -> "${plain(micros / 1e3)}ms"
    else -> "${plain(micros)}us"
}

/** Twelve digits hide the rounding error of a percentage. */
private fun plain(value: Double) =
    value.toBigDecimal().round(java.math.MathContext(12)).stripTrailingZeros().toPlainString()
