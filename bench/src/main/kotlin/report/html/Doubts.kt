package threadgauge.report.html

import kotlinx.html.FlowContent
import kotlinx.html.LI
import kotlinx.html.PhrasingContent
import kotlinx.html.a
import kotlinx.html.details
import kotlinx.html.div
import kotlinx.html.li
import kotlinx.html.p
import kotlinx.html.span
import kotlinx.html.strong
import kotlinx.html.summary
import kotlinx.html.ul
import threadgauge.model.Trial
import threadgauge.model.doubt.Doubt
import threadgauge.model.judgement.Ceiling
import threadgauge.model.judgement.CellJudgement
import threadgauge.model.judgement.SituationJudgement
import threadgauge.model.judgement.Validity
import threadgauge.report.format.ReportContext
import threadgauge.report.format.anchor
import threadgauge.report.format.count
import threadgauge.report.format.number
import threadgauge.report.format.sentence
import threadgauge.report.format.unbroken
import threadgauge.report.regression.title
import threadgauge.wording.doubt.remedy
import threadgauge.wording.doubt.seen
import threadgauge.wording.doubt.source
import threadgauge.wording.failure.reason
import threadgauge.wording.words

internal fun validityWord(validity: Validity): String = when (validity) {
    Validity.VALID -> "note"
    Validity.SUSPECT -> "suspect"
    Validity.INVALID -> "invalid"
}

/**
 * What was seen, and what to do about it. Never folded, because readers skip what they have to open.
 */
internal fun FlowContent.doubtList(doubts: List<Doubt>) = ul("doubts") {
    doubts.forEach { doubt -> li { doubt(doubt) } }
}

/** [where] is what it is about, where that is not clear. The remedy may stand below a doubt that follows. */
internal fun LI.doubt(doubt: Doubt, isRemedyBelow: Boolean = false, where: FlowContent.() -> Unit = {}) {
    span("validity ${validityWord(doubt.validity)}") { +validityWord(doubt.validity) }
    div {
        where()
        p { strong { prose(doubt.seen) } }
        if (isRemedyBelow) return@div
        p("remedy") { prose(doubt.remedy) }
        if (doubt.source.isNotEmpty()) {
            details("inline") { summary { +"Why this limit" }; p("remedy") { prose(doubt.source) } }
        }
        span("code small") { +doubt.id.id }
    }
}

/** The numbers of its doubts as links to them; nothing where there is none. */
internal fun PhrasingContent.doubtBadge(subject: ReportContext, situation: String, cell: CellJudgement) {
    val word = validityWord(subject.trust(situation, cell))
    if (cell.doubts.isEmpty()) {
        if (cell.validity != Validity.VALID) span("validity $word") { +word }
        return
    }
    span("validity $word") {
        val doubts = subject.numbered.of(cell)
        +"$word: ${if (doubts.size == 1) "doubt" else "doubts"} "
        doubts.forEachIndexed { index, numbered ->
            if (index > 0) +", "
            a(href = "#${numbered.anchor}") { +numbered.number.toString() }
        }
    }
}

/** Ceilings that are the same for all stacks and that none has reached. They are shown once. */
internal fun commonCeilings(judged: SituationJudgement): List<Ceiling> =
    judged.cells.firstOrNull()?.ceilings.orEmpty().filter { ceiling ->
        judged.cells.size > 1 && judged.cells.all { cell -> cell.ceilings.any { it == ceiling && !it.reached } }
    }

/** The ceilings that a result has reached, then the nearest of the others. Further ones are folded. */
internal fun FlowContent.ceilings(ceilings: List<Ceiling>) {
    val sorted = ceilings.sortedWith(compareBy({ !it.reached }, { it.requestsPerSecond }))
    val near = sorted.filter { it.reached } + sorted.filterNot { it.reached }.take(1)
    near.forEach { ceilingLine(it) }
    val far = sorted - near.toSet()
    if (far.isNotEmpty()) {
        details("inline") {
            summary { +"${count(far.size, "further ceiling")}" }
            far.forEach { ceilingLine(it) }
        }
    }
}

internal fun FlowContent.ceilingLine(ceiling: Ceiling) {
    val words = unbroken("${ceiling.words} = ${number(ceiling.requestsPerSecond)}/s")
    if (ceiling.reached && !ceiling.bySetting) {
        p("ceiling") { strong { +"Limited by the CPU" }; +": $words" }
    } else if (ceiling.reached) {
        p("ceiling reached") { strong { +"Decided by the setting" }; +": $words" }
    } else {
        p("ceiling") { +"Ceiling: $words" }
    }
}

/** Which processes of a stack failed, why, and where their logs are. */
internal fun FlowContent.troubleLine(subject: ReportContext, trials: List<Trial>) {
    val first = trials.first()
    p {
        strong { +"${subject.title(first.stack)}, ${trialNumbers(trials)}" }
        +": ${sentence(first.reason() ?: first.state.name.lowercase())}"
    }
    if (first.contractViolations.isNotEmpty()) {
        p { +"Not measured, because it does not do the same work as the others:" }
        ul { first.contractViolations.forEach { li { +it } } }
    }
    val logs = trials.map { it.log }.filter { it.isNotEmpty() }
    if (logs.isEmpty()) return
    p("asked") {
        +if (logs.size == 1) "Log: " else "Logs: "
        span("code") { +logs.joinToString() }
    }
}

internal fun trialNumbers(trials: List<Trial>): String =
    (if (trials.size == 1) "trial " else "trials ") + trials.joinToString { it.number.toString() }
