package threadgauge.wording.advice

import threadgauge.model.advice.Prediction
import threadgauge.model.judgement.Figure
import threadgauge.model.judgement.advice.ProvenChange
import threadgauge.wording.significant

/**
 * Predicted throughput and factor: "930/s, × 1.90 (1.80 to 2.00)"; of a best case "up to 930/s, × 1.90"; where code was
 * not compiled "at least 930/s, × 1.90 to 4.10".
 */
fun ProvenChange.predictedWords(): String {
    val ratio = proof.prediction.ratio
    val prediction = proof.prediction
    val spread = when {
        prediction.isAtLeast -> " to ${significant(ratio.high)}"
        prediction.isAtMost || ratio.low == ratio.high -> ""
        else -> " (${significant(ratio.low)} to ${significant(ratio.high)})"
    }
    val bound = if (prediction.isAtLeast) "at least " else if (prediction.isAtMost) "up to " else ""
    return "$bound${rate(prediction.perSecond.value)}, × ${significant(ratio.value)}$spread"
}

/** The same as measured, or that it could not be. */
fun ProvenChange.measuredWords(): String {
    val perSecond = measured?.let { rate(it.value) } ?: return "not measured"
    return perSecond + ratio?.let { ", × ${it.words()}" }.orEmpty()
}

private fun Figure.words(): String {
    val from = low ?: return significant(value)
    val to = high ?: return significant(value)
    return "${significant(value)} (${significant(from)} to ${significant(to)})"
}

/** Whether they agree. */
fun ProvenChange.verdictWords(): String = when {
    isWithin == null -> "not measured"
    hadNoEffect -> if (isWithin == true) "yes, but the setting had no effect" else "no: the setting had no effect"
    isWithin == true -> proof.prediction.agreement()
    else -> "no"
}

private fun Prediction.agreement() = if (isAtMost) "yes, not above" else if (isAtLeast) "yes, not below" else "yes"

/** "3 of 4 predictions are within 20 % of what was measured; 1 change could not be measured." */
fun List<ProvenChange>.summary(): String {
    val told = mapNotNull { it.isWithin }
    val open = size - told.size
    val within = "${told.count { it }} of ${told.size} predictions are within 20 % of what was measured"
    return within + (if (open == 0) "" else "; $open could not be measured") + "."
}
