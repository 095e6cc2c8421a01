package threadgauge.report.html.chart

import kotlinx.serialization.Serializable
import kotlinx.serialization.json.Json
import threadgauge.model.Sample
import threadgauge.model.Trial
import threadgauge.model.judgement.CellJudgement
import threadgauge.report.format.ReportContext
import threadgauge.report.regression.title

/**
 * Data for `report.js`, in columns, as charts need it, which takes a third of the bytes of rows. Times are seconds from
 * the start of the window, latencies milliseconds, CPU a share of one core.
 */
@Serializable
internal class ChartData(val stacks: List<ChartStack>, val situations: List<ChartSituation>)

@Serializable
internal class ChartStack(val title: String, val colour: Int, val shape: String, val rotation: Int, val dashed: Boolean)

/** [cells] in the order of [ChartData.stacks]; null where a stack was not measured. */
@Serializable
internal class ChartSituation(val cells: List<ChartCell?>)

/** [typical] is the index of the run that is shown first. */
@Serializable
internal class ChartCell(val typical: Int, val runs: List<ChartRun>)

@Serializable
internal class ChartRun(
    val trial: Int,
    val second: List<Int>,
    val sent: List<Long>,
    val answered: List<Long>,
    val failed: List<Long>,
    val active: List<Int>,
    val p50: List<Double?>,
    val p90: List<Double?>,
    val p99: List<Double?>,
    val cpuSecond: List<Double>,
    val cpuUser: List<Double>,
    val cpuTotal: List<Double>,
    val warmSecond: List<Double>,
    val warmAnswered: List<Double>,
)

internal fun chartData(subject: ReportContext): ChartData = ChartData(
    stacks = subject.stacks.map { stack ->
        val mark = subject.mark(stack)
        ChartStack(subject.title(stack), mark.colour, mark.shape.chartName, mark.shape.rotation, mark.dashed)
    },
    situations = subject.judgement.situations.map { judged ->
        val cells = judged.cells.associateBy { it.stack }
        ChartSituation(subject.stacks.map { stack -> cells[stack]?.let { cell(subject, it, judged.situation.name) } })
    },
)

private fun cell(subject: ReportContext, cell: CellJudgement, situation: String): ChartCell? {
    val samples = subject.samples(cell.stack, situation)
    if (samples.isEmpty()) return null
    val typical = subject.typicalTrial(cell, situation)
    return ChartCell(
        samples.indexOfFirst { it.first.number == typical }, samples.map { (trial, sample) -> run(trial, sample) },
    )
}

private fun run(trial: Trial, sample: Sample): ChartRun {
    val warmUp = trial.warmUp?.iterations.orEmpty().filter { it.situation == sample.situation }
    return ChartRun(
        trial = trial.number,
        second = sample.seconds.map { it.second },
        sent = sample.seconds.map { it.sent },
        answered = sample.seconds.map { it.answered },
        failed = sample.seconds.map { it.failed },
        active = sample.seconds.map { it.active },
        p50 = sample.seconds.map { inMillis(it.p50Micros) },
        p90 = sample.seconds.map { inMillis(it.p90Micros) },
        p99 = sample.seconds.map { inMillis(it.p99Micros) },
        cpuSecond = sample.process.map { rounded(it.second) },
        cpuUser = sample.process.map { rounded(it.cpuUser) },
        cpuTotal = sample.process.map { rounded(it.cpuUser + it.cpuSystem) },
        warmSecond = warmUp.map { rounded(it.atMillis / 1000) },
        warmAnswered = warmUp.map { rounded(it.answeredPerSecond) },
    )
}

private fun inMillis(micros: Double?): Double? = micros?.let { rounded(it / 1000) }

/** Three decimals are finer than a pixel. A value that is not finite becomes null. */
private fun rounded(value: Double): Double = if (value.isFinite()) Math.round(value * 1000) / 1000.0 else 0.0

/**
 * The data as JSON for a `<script>` element. A browser ends the element at `</script` even inside a string, so every
 * `<` is escaped, which means the same in JSON.
 */
internal fun chartJson(subject: ReportContext): String = Json.encodeToString(ChartData.serializer(), subject.charts)
    .replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    .replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
