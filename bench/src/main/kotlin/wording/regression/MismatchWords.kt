package threadgauge.wording.regression

import threadgauge.model.judgement.compare.AskedPart
import threadgauge.model.judgement.compare.ComparisonSide
import threadgauge.model.judgement.compare.Mismatch
import threadgauge.model.request.words
import threadgauge.model.words
import threadgauge.wording.listed

/** What is not compared, and why. */
internal fun Mismatch.words(): String = when (this) {
    is Mismatch.Missing -> "$name: not in the ${side.words}"
    is Mismatch.AskedOtherwise -> "$situation: " + listed(differences.map { differing(it) })
    is Mismatch.NotMeasured ->
        "$stack in $situation: not measured in the ${sides.joinToString(" or the ") { it.words }}"
}

private fun Mismatch.AskedOtherwise.differing(part: AskedPart): String = when (part) {
    AskedPart.REQUEST -> "the request differs"
    AskedPart.LOAD -> "the load differs (${baseLoad.words()} in the base, ${newLoad.words()} now)"
    AskedPart.CONNECTIONS -> "the use of connections differs"
}

private val ComparisonSide.words: String
    get() = when (this) {
        ComparisonSide.BASE -> "base"
        ComparisonSide.NEW -> "new record"
    }
