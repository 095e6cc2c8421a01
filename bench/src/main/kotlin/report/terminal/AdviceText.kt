package threadgauge.report.terminal

import com.github.ajalt.mordant.rendering.TextColors.yellow
import com.github.ajalt.mordant.rendering.TextStyles.bold
import com.github.ajalt.mordant.rendering.TextStyles.dim
import com.github.ajalt.mordant.table.VerticalLayoutBuilder
import threadgauge.model.judgement.Judgement
import threadgauge.model.judgement.advice.Advice
import threadgauge.model.judgement.advice.AdvisedChange
import threadgauge.model.judgement.advice.ChangeOutcome
import threadgauge.model.judgement.advice.ProvenChange
import threadgauge.model.plan.Plan
import threadgauge.report.format.sentence
import threadgauge.wording.advice.equation
import threadgauge.wording.advice.expectation
import threadgauge.wording.advice.heading
import threadgauge.wording.advice.how
import threadgauge.wording.advice.measuredWords
import threadgauge.wording.advice.predictedWords
import threadgauge.wording.advice.summary
import threadgauge.wording.advice.verdictWords
import threadgauge.wording.advice.words
import threadgauge.wording.cause.words

/** What holds the service, what would change it, and what would not. Nothing where the run does not ask for it. */
internal fun VerticalLayoutBuilder.advice(plan: Plan, judgement: Judgement) {
    val asked = plan.advice ?: return
    blank()
    judgement.advice.forEach { advice(it, judgement) }
    if (judgement.advice.isEmpty() && asked.proofs.isEmpty()) {
        paragraph(yellow("There is no advice: without a profile of the service, nothing is known of its limits."))
    }
    proofs(judgement.proofs)
}

private fun VerticalLayoutBuilder.advice(advice: Advice, judgement: Judgement) {
    val judged = judgement.situations.first { it.situation.name == advice.situation }
    paragraph(bold("Requests that ${judged.situation.words}"))
    paragraph(advice.words())
    judged.cells.firstOrNull { it.stack == advice.stack }?.because?.let { paragraph(sentence(it.words)) }
    val others = advice.limits.drop(1).take(MAX_LIMITS)
    if (others.isNotEmpty()) paragraph(dim("Limits above it: ${others.joinToString("; ") { it.equation() }}."))
    advice.changes.forEach { change(it) }
    if (advice.changes.isEmpty()) paragraph("No change of the catalogue is for this service.")
    blank()
}

private fun VerticalLayoutBuilder.change(advised: AdvisedChange) {
    val sign = when (advised.outcome) {
        is ChangeOutcome.Gain -> "+"
        is ChangeOutcome.Nothing -> "="
        ChangeOutcome.Unknown -> "?"
    }
    hanging(sign, "${bold(advised.heading())} (${advised.how()}): ${sentence(advised.expectation())}", 1)
    if (advised.outcome is ChangeOutcome.Gain) advised.change.note?.let { hanging("", dim(it), 1) }
}

private fun VerticalLayoutBuilder.proofs(proofs: List<ProvenChange>) {
    if (proofs.isEmpty()) return
    paragraph(bold("Predicted beside measured") + ": " + proofs.summary())
    proofs.forEach {
        hanging("-", "${bold(it.title)} (${it.proof.setting})", 1)
        hanging("", "predicted ${it.predictedWords()}", 1)
        hanging("", "measured  ${it.measuredWords()}", 1)
        hanging("", "within 20 %: ${it.verdictWords()}", 1)
    }
}

private const val MAX_LIMITS = 3
