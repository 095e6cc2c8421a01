package threadgauge.wording.regression

import threadgauge.model.judgement.ComparisonSide
import threadgauge.model.judgement.Mismatch
import threadgauge.model.words

/** Why something is not compared: its name, and the reason. */
internal fun Mismatch.words(): String = when (this) {
    is Mismatch.Missing -> when (side) {
        ComparisonSide.BASE -> "$name: not in the base"
        ComparisonSide.NEW -> "$name: not in the new record"
    }
    is Mismatch.AskedOtherwise -> "$situation: asked otherwise, ${baseLoad.words()} before, ${newLoad.words()} now"
    is Mismatch.NotMeasured -> "$stack in $situation: not measured on both sides"
}
