package threadgauge.report.knee

import com.github.ajalt.mordant.rendering.TextAlign
import com.github.ajalt.mordant.rendering.TextColors.yellow
import com.github.ajalt.mordant.rendering.TextStyles.bold
import com.github.ajalt.mordant.rendering.TextStyles.dim
import com.github.ajalt.mordant.rendering.Widget
import com.github.ajalt.mordant.table.Borders
import com.github.ajalt.mordant.table.VerticalLayoutBuilder
import com.github.ajalt.mordant.table.table
import com.github.ajalt.mordant.table.verticalLayout
import com.github.ajalt.mordant.widgets.Padding
import threadgauge.model.LatencyMeasure
import threadgauge.model.Load
import threadgauge.model.Record
import threadgauge.model.judgement.Estimated
import threadgauge.model.judgement.JudgedProbe
import threadgauge.model.judgement.KneeJudgement
import threadgauge.model.judgement.KneesJudgement
import threadgauge.model.judgement.ProbeReason
import threadgauge.model.judgement.Scalability
import threadgauge.model.judgement.ScalabilityFit
import threadgauge.report.format.millis
import threadgauge.report.format.number
import threadgauge.report.format.percent
import threadgauge.report.format.sentence
import threadgauge.report.format.unbroken
import threadgauge.report.html.stateNotice
import threadgauge.report.terminal.blank
import threadgauge.report.terminal.hanging
import threadgauge.report.terminal.paragraph
import threadgauge.wording.doubt.remedy
import threadgauge.wording.doubt.seen
import threadgauge.wording.failure.reason
import threadgauge.wording.knee.comparisonWords
import threadgauge.wording.knee.doubtsOfTargets
import threadgauge.wording.knee.methodWords
import threadgauge.wording.knee.words

/**
 * The report of a search for the knee for a terminal: the answer first, then its basis. It fits 80 columns and does not
 * rely on colour. [reportFile] is printed as given.
 */
fun kneeReport(record: Record, judgement: KneesJudgement, reportFile: String? = null): Widget = verticalLayout {
    spacing = 0
    blank()
    stateNotice(record)?.let { (title, words) -> paragraph(yellow(bold(title)) + " " + words) }
    judgement.comparisonWords().forEach { paragraph(bold(unbroken(it))) }
    judgement.targets.forEach { target ->
        val isOnlyOne = judgement.targets.size == 1
        paragraph(unbroken(target.words()).let { if (isOnlyOne) bold(it) else it })
        target.sizing?.let { if (isOnlyOne) blank(); paragraph(it.words()) }
    }
    blank()
    paragraph(dim(judgement.methodWords()))
    judgement.doubtsOfTargets().forEach { (whose, doubt) ->
        hanging(yellow("!"), whose + "${doubt.seen}. ${doubt.remedy}", 1)
    }
    troubles(record)
    judgement.targets.forEach { target ->
        if (judgement.targets.size > 1) {
            blank()
            paragraph(bold(target.target))
        }
        probes(target)
        target.scalability?.let(::law)
    }
    reportFile?.let {
        blank()
        paragraph("Report: $it")
    }
}

private fun VerticalLayoutBuilder.law(scalability: Scalability) {
    blank()
    paragraph(bold("Throughput against concurrency") + dim(" (Universal Scalability Law)"))
    paragraph(scalability.words())
    scalability.fit?.let { paragraph(dim(parameters(it))) }
}

private fun VerticalLayoutBuilder.troubles(record: Record) = record.trials.forEach { trial ->
    val reason = trial.reason() ?: return@forEach
    val whose = if (record.plan.stacks.size > 1) "${trial.stack}, " else ""
    hanging(yellow("!"), "${whose}process ${trial.number}: ${sentence(reason)}", 1)
}

private fun VerticalLayoutBuilder.probes(judgement: KneeJudgement) {
    if (judgement.probes.isEmpty()) return
    blank()
    cell(probeTable(judgement.probes))
    judgement.probes.forEach { probe ->
        // Reasons that the table shows anyway are left out.
        val more = probe.reasons.filterNot { it is ProbeReason.GoalBroken && it.measure in SHOWN }.map { it.words() } +
            probe.notes.map { it.words() }
        if (more.isNotEmpty()) hanging(shortName(probe), more.joinToString("; "), NAME_WIDTH)
    }
}

private fun probeTable(probes: List<JudgedProbe>) = table {
    tableBorders = Borders.NONE
    cellBorders = Borders.NONE
    padding = Padding(0, 0, 0, 2)
    column(0) { padding = Padding(0) }
    for (index in 1..6) column(index) { align = TextAlign.RIGHT }
    header {
        cellBorders = Borders.BOTTOM
        row(
            dim("probe"), dim("load"), dim("arrived/s"), dim("answered/s"), dim("p50"), dim("p99"), dim("failed"),
            dim(""),
        )
    }
    body {
        probes.forEach { probe ->
            row(
                shortName(probe), loadWords(probe), rateNumber(probe.offeredPerSecond),
                rateNumber(probe.answeredPerSecond),
                millis(probe.latency.p50Micros / 1e3), millis(probe.latency.p99Micros / 1e3), percent(probe.errorShare),
                probe.outcome?.words ?: dim("–"),
            )
        }
    }
}

/** One probe in a line of progress. */
fun kneeProbeLine(probe: JudgedProbe): String {
    val p50 = millis(probe.latency.p50Micros / 1e3).padStart(8)
    val p99 = millis(probe.latency.p99Micros / 1e3).padStart(8)
    val times = "p50 $p50   p99 $p99"
    val reason = probe.reasons.firstOrNull()?.let { ": ${it.words()}" }.orEmpty()
    val outcome = probe.outcome?.let { "   ${it.words}$reason" }.orEmpty()
    val load = probe.load
    return if (load is Load.Users) {
        val users = if (load.users == 1) "user " else "users"
        "%5s $users      %8s/s   %s".format(number(load.users), rateNumber(probe.answeredPerSecond), times)
    } else {
        "%8s/s arrive            %s%s".format(rateNumber(probe.offeredPerSecond), times, outcome)
    }
}

private fun parameters(fit: ScalabilityFit): String {
    fun interval(words: String, value: Estimated, unit: String = "") =
        "$words ${number(value.value)}$unit (${number(value.low)} to ${number(value.high)})"
    return listOf(
        interval("λ", fit.lambda, "/s"), interval("σ", fit.sigma),
        "κ ${tiny(fit.kappa.value)} (${tiny(fit.kappa.low)} to ${tiny(fit.kappa.high)})",
    ).joinToString(", ") + ". Intervals at 95 %, by bootstrap."
}

private const val NAME_WIDTH = 5
private val SHOWN = setOf(LatencyMeasure.P50, LatencyMeasure.P99)
