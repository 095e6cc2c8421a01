package threadgauge.report.html

import kotlinx.html.FlowContent
import kotlinx.html.TABLE
import kotlinx.html.TD
import kotlinx.html.TH
import kotlinx.html.TR
import kotlinx.html.ThScope
import kotlinx.html.a
import kotlinx.html.caption
import kotlinx.html.div
import kotlinx.html.h2
import kotlinx.html.id
import kotlinx.html.section
import kotlinx.html.span
import kotlinx.html.table
import kotlinx.html.tbody
import kotlinx.html.td
import kotlinx.html.th
import kotlinx.html.thead
import kotlinx.html.tr
import threadgauge.model.judgement.CellJudgement
import threadgauge.model.judgement.Comparison
import threadgauge.model.judgement.ComparisonOutcome
import threadgauge.model.judgement.SituationJudgement
import threadgauge.model.judgement.Validity
import threadgauge.model.judgement.Verdict
import threadgauge.report.format.ReportContext
import threadgauge.report.format.number
import threadgauge.report.format.percent
import threadgauge.report.format.plainPercent
import threadgauge.report.format.unbroken
import threadgauge.report.html.chart.scrollable
import threadgauge.report.html.section.words
import threadgauge.report.regression.title
import threadgauge.wording.words

/**
 * Which stack fits where: a row for each situation and a column for each stack, with the leader and the ratios of the
 * others to it. Shown for at least two stacks and two situations. Every cell links to its figures.
 */
internal fun FlowContent.decisionTable(subject: ReportContext) {
    val situations = subject.judgement.situations
    if (situations.size < 2 || subject.stacks.size < 2) return
    val columns: TR.() -> Unit = {
        subject.stacks.forEach { stack ->
            th(scope = ThScope.col) { markSign(subject.mark(stack)); +unbroken(subject.title(stack)) }
        }
    }
    decisionSection("Which fits where", plainPercent(subject.margin), columns) {
        tbody {
            situations.forEachIndexed { index, situation ->
                tr {
                    th(scope = ThScope.row) { decided(situation) }
                    subject.stacks.forEach { stack ->
                        td { decision(subject, situation, stack, "#${situationId(index)}") }
                    }
                }
            }
        }
    }
}

/**
 * The table itself. [columns] are the heads of all columns but the first; [margin] is the smallest difference that
 * counts, in words.
 */
internal fun FlowContent.decisionSection(
    title: String,
    margin: String,
    columns: TR.() -> Unit,
    rows: TABLE.() -> Unit,
) = section("decision") {
    id = "decision"
    attributes["aria-labelledby"] = "decision-title"
    h2 { id = "decision-title"; +title }
    div("scroll") {
        scrollable(title)
        table("decisions") {
            caption { +decisionSigns(margin) }
            thead {
                tr {
                    th(scope = ThScope.col) { +"Requests that" }
                    columns()
                }
            }
            rows()
        }
    }
}

/** The legend of [decision]. */
private fun decisionSigns(margin: String) =
    "✓ best; = differs from the best by less than $margin; " +
        "a number is the ratio to the best or to the baseline; " +
        "⊤ a limit sets the result, so another setting may change it; ? this run cannot tell. " +
        "By throughput, or by latency where the row says so."

/** What the requests of a row do, and which figure decides where it is not throughput. */
internal fun TH.decided(judged: SituationJudgement) {
    +unbroken(judged.situation.words)
    if (!judged.decidedBy.moreIsBetter) span("by") { +"by ${judged.decidedBy.words}" }
}

/** The result of [stack] in a situation, with a link to its figures. */
internal fun TD.decision(subject: ReportContext, judged: SituationJudgement, stack: String, figures: String) {
    val cell = judged.cells.find { it.stack == stack }
    val standing = decisionMark(judged, cell)
    a(href = figures, classes = "decision ${standing.style}") {
        span("sign") { attributes["aria-hidden"] = "true"; +standing.sign }
        +standing.words
        standing.interval?.let { span("interval") { +it } }
        span("unseen") { +": ${subject.title(stack)}, requests that ${judged.situation.words}" }
    }
}

/** The result of a stack in a situation, as a sign and in words. */
internal data class DecisionMark(val sign: String, val words: String, val style: String, val interval: String? = null)

internal fun decisionMark(judged: SituationJudgement, cell: CellJudgement?): DecisionMark {
    if (cell == null || cell.trials == 0) return DecisionMark("·", "not measured", "unsure")
    if (cell.isFailing) return DecisionMark("✕", "fails ${percent(cell.errorShare!!.value)}", "unsure")
    if (cell.validity == Validity.INVALID) return DecisionMark("✕", "no valid figure", "unsure")
    return when (val verdict = judged.verdict) {
        is Verdict.NoDifference -> DecisionMark("=", "no difference", "same")
        is Verdict.Fits -> decisionMark(judged, cell.stack, verdict.stacks, DecisionMark("✓", "leads", "fits"))
        is Verdict.DecidedBySetting ->
            decisionMark(judged, cell.stack, verdict.stacks, DecisionMark("⊤", "best, because of a limit", "setting"))
        is Verdict.BesideBaselines -> besideBaseline(judged, cell.stack)
        is Verdict.CannotTell -> DecisionMark("?", "cannot tell", "unsure")
        is Verdict.Alone, is Verdict.Indicative -> DecisionMark("~", "no interval", "unsure")
    }
}

private fun decisionMark(
    judged: SituationJudgement,
    stack: String,
    leaders: List<String>,
    leads: DecisionMark,
): DecisionMark {
    if (stack in leaders) return if (leaders.size == 1) leads else leads.copy(sign = "=", words = "among the best")
    return leaders.firstNotNullOfOrNull { ratio(judged, stack, it) }?.decisionMark("", "behind") ?: NOT_COMPARED
}

private fun besideBaseline(judged: SituationJudgement, stack: String): DecisionMark {
    val all = judged.decidingComparisons()
    val comparison = all.find { it.stack == stack }
        ?: return if (all.any { it.other == stack }) DecisionMark("÷", "baseline", "same") else NOT_COMPARED
    return when (comparison.outcome) {
        ComparisonOutcome.MORE -> comparison.decisionMark("▲", "behind")
        ComparisonOutcome.LESS -> comparison.decisionMark("▼", "behind")
        ComparisonOutcome.NO_DIFFERENCE -> comparison.decisionMark("=", "same")
        ComparisonOutcome.CANNOT_TELL -> comparison.decisionMark("?", "unsure")
    }
}

private fun Comparison.decisionMark(sign: String, style: String): DecisionMark {
    val decimals = ratioDecimals(ratio)
    val low = low
    val high = high
    val interval = if (low == null || high == null) null else "${number(low, decimals)}–${number(high, decimals)}"
    return DecisionMark(sign, "${number(ratio, decimals)}×", style, interval)
}

private fun SituationJudgement.decidingComparisons() = (comparisons + otherComparisons).filter { it.of == decidedBy }

/** [stack] ÷ [leader] in the figure that decides; null where the two were not compared. */
private fun ratio(judged: SituationJudgement, stack: String, leader: String): Comparison? {
    val all = judged.decidingComparisons()
    all.find { it.stack == stack && it.other == leader }?.let { return it }
    val turned = all.find { it.stack == leader && it.other == stack } ?: return null
    return turned.copy(
        stack = stack, other = leader, ratio = 1 / turned.ratio, low = turned.high?.let { 1 / it },
        high = turned.low?.let { 1 / it },
    )
}

private val NOT_COMPARED = DecisionMark("?", "not compared", "unsure")
