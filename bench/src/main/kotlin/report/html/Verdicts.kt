package threadgauge.report.html

import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.div
import kotlinx.html.h1
import kotlinx.html.h2
import kotlinx.html.id
import kotlinx.html.li
import kotlinx.html.ol
import kotlinx.html.p
import kotlinx.html.section
import kotlinx.html.span
import kotlinx.html.strong
import kotlinx.html.ul
import threadgauge.model.Record
import threadgauge.model.RunState
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.Judgement
import threadgauge.model.judgement.SituationJudgement
import threadgauge.model.judgement.Validity
import threadgauge.model.judgement.Verdict
import threadgauge.report.format.NARROW_SPACE
import threadgauge.report.format.ReportContext
import threadgauge.report.format.anchor
import threadgauge.report.format.count
import threadgauge.report.format.openCauses
import threadgauge.report.format.plainPercent
import threadgauge.report.format.sentence
import threadgauge.report.format.unbroken
import threadgauge.report.html.cause.becauseList
import threadgauge.report.html.chart.glancePlot
import threadgauge.report.html.claim.claims
import threadgauge.report.html.section.adviceSection
import threadgauge.report.html.section.goals
import threadgauge.report.html.section.words
import threadgauge.report.regression.title
import threadgauge.report.terminal.claims
import threadgauge.wording.doubt.title
import threadgauge.wording.doubt.words
import threadgauge.wording.failure.reason
import threadgauge.wording.verdict.answer
import threadgauge.wording.verdict.verdictWords
import threadgauge.wording.verdict.words
import threadgauge.wording.words

/** The first screen: the question, its answer in words, its basis, and one line for each situation. */
internal fun FlowContent.answerSection(subject: ReportContext) = section("answer") {
    id = "answer"
    attributes["aria-labelledby"] = "question"
    h1 {
        id = "question"
        +subject.judgement.question
    }
    stateNotice(subject.record)?.let { notice -> p("notice") { strong { +notice.first }; +" ${notice.second}" } }
    adviceSection(subject)
    claims(subject)
    goals(subject)
    div("sentences") {
        subject.judgement.answer.forEach { p { +unbroken(it) } }
        subject.judgement.ranges.forEach { p("range") { +unbroken(it.words) } }
    }
    sureness(subject)
    causes(subject)
    h2("quiet") { +"Situation by situation" }
    ul("stack-key") {
        attributes["aria-label"] = "Legend of the stacks"
        subject.stacks.forEach { li { markSign(subject.mark(it)); +subject.title(it) } }
    }
    ol("verdicts") {
        subject.judgement.situations.forEachIndexed { index, situation ->
            li { verdictLine(subject, situation, index) }
        }
    }
    troubles(subject)
}

/** A kind of verdict as a sign and in words. */
internal data class VerdictTag(val sign: String, val words: String, val style: String)

internal fun tag(verdict: Verdict): VerdictTag = when (verdict) {
    is Verdict.Fits -> VerdictTag("✓", verdict.ranking.by.bestTag, "fits")
    is Verdict.NoDifference -> VerdictTag("=", "No difference", "same")
    is Verdict.DecidedBySetting -> VerdictTag("⊤", "A setting decides", "setting")
    is Verdict.CannotTell -> VerdictTag("?", "Cannot tell", "unsure")
    is Verdict.BesideBaselines -> VerdictTag("÷", "Compared with baselines", "same")
    is Verdict.Alone -> VerdictTag("·", "Measured alone", "same")
    is Verdict.Indicative -> VerdictTag("~", "Indicative", "unsure")
}

internal fun FlowContent.verdictTag(verdict: Verdict) {
    val tag = tag(verdict)
    span("tag ${tag.style}") {
        span("sign") { attributes["aria-hidden"] = "true"; +tag.sign }
        +tag.words
    }
}

private fun FlowContent.verdictLine(subject: ReportContext, judged: SituationJudgement, index: Int) {
    verdictTag(judged.verdict)
    if (judged.cells.none { it.because != null || it.noCause != null }) {
        p("verdict-words") { +unbroken(judged.verdictWords()) }
    } else {
        div("verdict-words") {
            p { +unbroken(judged.verdictWords()) }
            becauseList(subject, judged, MAX_REASONS)
        }
    }
    div("glance") {
        glancePlot(subject, judged)
        a(href = "#${situationId(index)}") {
            +"Figures"
            span("unseen") { +" for ${judged.situation.name}" }
        }
    }
}

/** The tag of a stack that is best by this figure. */
private val Compared.bestTag get() = if (moreIsBetter) "Highest $words" else "Lowest $words"

/** A notice about a run that is not complete; null for one that is. */
internal fun stateNotice(record: Record): Pair<String, String>? {
    val reason = record.reason()?.let { " " + sentence(it) }.orEmpty()
    return when (record.state) {
        RunState.COMPLETE -> null
        RunState.RUNNING -> "Still running." to "The report shows the trials so far.$reason"
        RunState.INTERRUPTED ->
            "Interrupted." to "The report shows the trials before that; the others are missing.$reason"
        RunState.FAILED -> "The run failed." to "The report shows the trials before that.$reason"
    }
}

private fun FlowContent.sureness(subject: ReportContext) = ul("sureness") {
    attributes["aria-label"] = "Basis of this answer"
    surenessLines(subject.judgement, subject.record)
        .forEach { (style, words) -> li(style) { +words } }
}

/**
 * What the answer is based on: trials, intervals and margin. Each line with the name of its style. Not [isLong]:
 * without what the heading of each of several situations shows.
 */
internal fun surenessLines(
    judgement: Judgement,
    record: Record,
    isLong: Boolean = true,
): List<Pair<String, String>> =
    buildList {
        val planned = record.plan.experiment.trials
        val measured = judgement.situations.flatMap { it.cells }.map { it.trials }
        val fewest = measured.minOrNull() ?: 0
        val allRan = record.plan.stacks.all { it.url != null }
        val unit =
            if (allRan) count(planned, "trial") else count(planned, "fresh process", "fresh processes")
        val processes = "$unit per stack"
        val most = measured.maxOrNull() ?: 0
        val trials = if (fewest >= planned) processes else (if (most == fewest) "$most" else "$fewest to $most") +
            " of $processes"
        if (judgement.indicative) {
            add("warn" to "Indicative: $trials, too few for intervals, so no winner is named.")
        } else {
            val style = if (fewest < planned) "warn" else "sure"
            val margin = plainPercent(record.plan.experiment.margin)
            add(style to "$trials, 95${NARROW_SPACE}% intervals, differences below $margin do not count.")
        }
        val requests = judgement.situations.map { it.situation.request }
        if (judgement.ranges.isEmpty() && requests.isNotEmpty() && (isLong || requests.size == 1)) {
            add("sure" to "Each request was measured under one load; another load may change the verdict.")
        }
        if (judgement.causes.all { it.validity == Validity.VALID }) {
            add("sure" to "There are no doubts about these results.")
        }
    }

/** The causes of doubts, which precede all figures. Each leads to its doubts. */
private fun FlowContent.causes(subject: ReportContext) {
    val causes = subject.openCauses
    if (causes.isEmpty()) return
    h2("quiet") { +"Doubts, worst first" }
    ul("doubts") {
        causes.forEach { cause ->
            li {
                span("validity ${validityWord(cause.validity)}") { +validityWord(cause.validity) }
                p {
                    prose(cause.words())
                    +" "
                    a(href = "#${cause.anchor}") { +"Details"; span("unseen") { +": ${cause.id.title}" } }
                }
            }
        }
    }
}

/** Failed processes. */
private fun FlowContent.troubles(subject: ReportContext) {
    if (subject.troubles.isNotEmpty()) {
        h2("quiet") { +"Failed processes" }
        ul("plain troubles") { subject.troubles.forEach { li { troubleLine(subject, it) } } }
    }
}

/** The first screen gives the reasons of the first and the last stack where there are more. */
private const val MAX_REASONS = 2
