package threadgauge.wording.regression

import java.util.Locale
import threadgauge.model.judgement.compare.Change
import threadgauge.model.judgement.compare.ChangeOutcome
import threadgauge.wording.figureAndUnit
import threadgauge.wording.significant
import threadgauge.wording.subject

internal val ChangeOutcome.words: String
    get() = when (this) {
        ChangeOutcome.BETTER -> "better"
        ChangeOutcome.SAME -> "the same"
        ChangeOutcome.NOT_WORSE -> "not worse"
        ChangeOutcome.WORSE -> "worse"
        ChangeOutcome.CANNOT_TELL -> "cannot tell"
    }

/** The figure and its cell: "throughput of shop in orders". */
internal val Change.subject: String get() = of.subject(stack, situation, step)

/** How the figure changed, as a ratio with its interval. */
internal fun Change.words(): String {
    val range = if (low == null || high == null) "no interval" else "%.3f to %.3f".format(Locale.ROOT, low, high)
    return "$subject is %.3f times the base's ($range)".format(Locale.ROOT, ratio)
}

/** The same with both figures. */
internal fun Change.inFull(): String =
    words() + ": ${significant(base)} before, ${significant(new)} now (${of.figureAndUnit})"
