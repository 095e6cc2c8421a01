package threadgauge.report.html.section

import kotlinx.html.FlowContent
import kotlinx.html.LI
import kotlinx.html.a
import kotlinx.html.h2
import kotlinx.html.h3
import kotlinx.html.id
import kotlinx.html.li
import kotlinx.html.p
import kotlinx.html.section
import kotlinx.html.ul
import threadgauge.model.doubt.DoubtCause
import threadgauge.model.judgement.Validity
import threadgauge.report.format.NumberedDoubt
import threadgauge.report.format.ReportContext
import threadgauge.report.format.anchor
import threadgauge.report.html.doubt
import threadgauge.report.html.prose
import threadgauge.report.html.situationId
import threadgauge.wording.doubt.remedy
import threadgauge.wording.doubt.title
import threadgauge.wording.doubt.words

/** Every doubt with its number, figure, threshold and stacks, by causes. Tables refer to the numbers. */
internal fun FlowContent.doubtsSection(subject: ReportContext) {
    if (subject.judgement.causes.isEmpty()) return
    section("all-doubts") {
        id = "doubts"
        attributes["aria-labelledby"] = "doubts-title"
        h2 { id = "doubts-title"; +"Doubts in detail" }
        p {
            +"By their causes, the worst first. “Suspect” figures may be wrong, "
            +"“invalid” ones are in no verdict. Notes are worth knowing, "
            +"and no reason to trust a figure less than its interval says."
        }
        subject.judgement.causes.forEach { cause(subject, it) }
    }
}

/** Neighbours with the same remedy share it. */
private fun FlowContent.cause(subject: ReportContext, cause: DoubtCause) {
    h3 { id = cause.anchor; +cause.id.title }
    p { prose(cause.words()) }
    val its = subject.numbered.all.filter { it.cause == cause }
    ul("doubts") {
        its.forEachIndexed { index, numbered ->
            val next = its.getOrNull(index + 1)?.doubt
            val isShared = next != null && next.id == numbered.doubt.id && next.remedy == numbered.doubt.remedy
            li {
                id = numbered.anchor
                doubt(subject, numbered, isShared)
            }
        }
    }
}

/** Single doubts of a cause that is but a note are notes, too. */
private fun LI.doubt(subject: ReportContext, numbered: NumberedDoubt, isRemedyBelow: Boolean) {
    val isNote = numbered.cause.validity == Validity.VALID
    val shown = if (isNote) numbered.doubt.copy(validity = Validity.VALID) else numbered.doubt
    doubt(shown, isRemedyBelow) {
        p {
            +"${numbered.number}. "
            if (numbered.stacks.isEmpty()) +"The whole run"
            val situations = numbered.stacks.entries.groupBy({ it.value }, { it.key })
            situations.entries.forEachIndexed { index, (stacks, names) ->
                if (index > 0) +"; "
                +stacks.joinToString { subject.title(it) }
                +" in "
                names.forEachIndexed { place, name ->
                    if (place > 0) +", "
                    val at = subject.judgement.situations.indexOfFirst { it.situation.name == name }
                    a(href = "#${situationId(at)}") { +name }
                }
            }
        }
    }
}
