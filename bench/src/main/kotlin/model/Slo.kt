package threadgauge.model

import kotlinx.serialization.Serializable
import kotlinx.serialization.json.JsonNames

/**
 * A service-level objective: what answers must keep to, so that users are content. All of it must hold. Never empty.
 */
@Serializable
data class Slo(
    val latencies: List<LatencyGoal> = emptyList(),
    /** Most requests that may fail, of all that were due, 0 to 1; null where nothing is said about failures. */
    @JsonNames("mostErrors") val maxErrors: Double? = null,
) {
    companion object {
        /**
         * Where none is given: a tenth of a second feels immediate (Nielsen, *Usability Engineering*, 1993, section
         * 5.5).
         */
        val USUAL = Slo(listOf(LatencyGoal(LatencyMeasure.P99, 100_000.0)), maxErrors = 0.001)
    }
}

/** [measure] of latency, from the intended time, must be no longer than [maxMicros]. */
@Serializable
data class LatencyGoal(val measure: LatencyMeasure, @JsonNames("mostMicros") val maxMicros: Double)

/**
 * What a latency goal speaks of. [id] is its spelling in `--slo`. [enough] is the number of answers from which on it
 * is more than the luck of a few: ten of them lie beyond the percentile.
 */
@Serializable
enum class LatencyMeasure(val id: String, val enough: Int) {
    MEAN("mean", 20),
    P50("p50", 20),
    P90("p90", 100),
    P99("p99", 1_000),
    P999("p99.9", 10_000),
    MAX("max", 1),
}

/** In microseconds; null where there were too few answers for it. */
fun LatencyMeasure.of(latency: Latency): Double? = when (this) {
    LatencyMeasure.MEAN -> latency.meanMicros
    LatencyMeasure.P50 -> latency.p50Micros
    LatencyMeasure.P90 -> latency.p90Micros
    LatencyMeasure.P99 -> latency.p99Micros
    LatencyMeasure.P999 -> latency.p999Micros
    LatencyMeasure.MAX -> latency.maxMicros
}

/** As on the command line, which reads it as the same goals: "p99<100ms, errors<0.1%". */
fun Slo.notation(): String {
    val times = latencies.map { "${it.measure.id}<${time(it.maxMicros)}" }
    val errors = maxErrors?.let { if (it == 0.0) "errors<=0%" else "errors<${plain(it * 100)}%" }
    return (times + listOfNotNull(errors)).joinToString(", ")
}

private fun time(micros: Double) = when {
    micros >= 1e6 -> "${plain(micros / 1e6)}s"
    micros >= 1e3 -> "${plain(micros / 1e3)}ms"
    else -> "${plain(micros)}us"
}

/** Twelve digits: what a percentage loses on its way through a double is not worth seeing. */
private fun plain(value: Double) =
    value.toBigDecimal().round(java.math.MathContext(12)).stripTrailingZeros().toPlainString()
