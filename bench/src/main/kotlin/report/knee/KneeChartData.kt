package threadgauge.report.knee

import kotlinx.serialization.Serializable
import kotlinx.serialization.json.Json
import threadgauge.model.LatencyGoal
import threadgauge.model.LatencyMeasure
import threadgauge.model.judgement.JudgedProbe
import threadgauge.model.judgement.Knee
import threadgauge.model.judgement.KneeJudgement
import threadgauge.model.judgement.KneesJudgement
import threadgauge.model.judgement.ProbeOutcome
import threadgauge.model.of
import threadgauge.report.html.outcome

/** Data for `knee.js` of one target. Rates are per second, latencies milliseconds. */
@Serializable
internal class KneeChartData(
    /** The measure of the goal that is drawn. */
    val measure: String,
    /** Null where no goal is about latency. */
    val limitMillis: Double?,
    val knee: Knee?,
    val probes: List<KneePoint>,
    val law: LawChart?,
)

@Serializable
internal class KneePoint(
    val name: String,
    val rate: Double,
    val millis: Double,
    val p50: Double,
    val outcome: ProbeOutcome,
)

/** Throughput against concurrency: measured points, and the fitted curve with its band. */
@Serializable
internal class LawChart(
    val concurrency: List<Int>,
    val perSecond: List<Double>,
    val curveConcurrency: List<Double>,
    val curve: List<Double>,
    val low: List<Double>,
    val high: List<Double>,
)

/** The goal that was missed most often; the first where none was. */
internal fun decisiveGoal(judgement: KneeJudgement): LatencyGoal? =
    judgement.question.slo.latencies.maxByOrNull { goal ->
        judgement.probes.count { probe -> probe.outcome != null && goal.millisOf(probe) * 1e3 > goal.maxMicros }
    }

internal fun LatencyGoal.millisOf(probe: JudgedProbe): Double =
    (measure.of(probe.latency) ?: probe.latency.maxMicros) / 1e3

internal fun kneeChartData(judgement: KneeJudgement): KneeChartData {
    val goal = decisiveGoal(judgement)
    val drawn = goal ?: LatencyGoal(LatencyMeasure.P99, Double.MAX_VALUE)
    val law = judgement.scalability
    return KneeChartData(
        measure = drawn.measure.id,
        limitMillis = goal?.let { it.maxMicros / 1e3 },
        knee = judgement.knee,
        probes = judgement.probes.mapNotNull { probe ->
            probe.outcome?.let { outcome ->
                KneePoint(
                    shortName(probe), probe.offeredPerSecond, drawn.millisOf(probe), probe.latency.p50Micros / 1e3,
                    outcome,
                )
            }
        },
        law = law?.let {
            LawChart(
                it.points.map { point -> point.concurrency }, it.points.map { point -> point.perSecond },
                it.fit?.curve.orEmpty().map { point -> point.concurrency }, it.fit?.curve.orEmpty()
                    .map { point -> point.perSecond },
                it.fit?.curve.orEmpty().map { point -> point.low }, it.fit?.curve.orEmpty().map { point -> point.high },
            )
        },
    )
}

/**
 * Of all targets, in order, as JSON for a `<script>` element, with every `<` escaped.
 */
internal fun kneeChartJson(judgement: KneesJudgement): String =
    Json.encodeToString(judgement.targets.map { kneeChartData(it) }).replace("<", "\\u003c").replace("&", "\\u0026")
