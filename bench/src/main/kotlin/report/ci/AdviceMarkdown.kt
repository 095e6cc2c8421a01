package threadgauge.report.ci

import threadgauge.model.judgement.Judgement
import threadgauge.report.format.escaped
import threadgauge.report.format.row
import threadgauge.report.format.sentence
import threadgauge.wording.advice.expectation
import threadgauge.wording.advice.heading
import threadgauge.wording.advice.how
import threadgauge.wording.advice.measuredWords
import threadgauge.wording.advice.predictedWords
import threadgauge.wording.advice.summary
import threadgauge.wording.advice.verdictWords
import threadgauge.wording.advice.words

/** Advice and proofs as tables; nothing where there are none. */
internal fun StringBuilder.advice(judgement: Judgement) {
    for (advice in judgement.advice) {
        appendLine("\n**Advice for ${escaped(advice.situation)}:** ${escaped(advice.words())}")
        appendLine("\n| change | what to do | what to expect |\n|---|---|---|")
        advice.changes.forEach {
            appendLine(row(listOf(it.heading(), it.how(), sentence(it.expectation())).map(::escaped)))
        }
    }
    if (judgement.proofs.isEmpty()) return
    appendLine("\n**Predicted beside measured:** ${escaped(judgement.proofs.summary())}")
    appendLine("\n| change | predicted | measured | within 20 % |\n|---|---|---|---|")
    judgement.proofs.forEach {
        val what = "${it.title} (${it.proof.setting})"
        appendLine(row(listOf(what, it.predictedWords(), it.measuredWords(), it.verdictWords()).map(::escaped)))
    }
}
