package threadgauge.wording.knee

import java.util.Locale
import threadgauge.model.judgement.Scalability
import threadgauge.model.judgement.ScalabilityFit
import threadgauge.model.judgement.ScalabilityThresholds
import threadgauge.wording.percent
import threadgauge.wording.whole

/** How well the law fits, and where throughput peaks. */
internal fun Scalability.words(): String {
    val most = points.maxOf { it.concurrency }
    return fit?.words(most) ?: "The Universal Scalability Law cannot be fitted: " +
        "it needs throughput at $minPoints levels of concurrency, and ${points.size} were measured."
}

/** One request at a time is as much as more of them, and more are no less. */
private val ScalabilityFit.isFlat: Boolean
    get() = curve.isNotEmpty() && curve.maxOf { it.perSecond }.let { most ->
        curve.minOf { it.perSecond } * (1 + ScalabilityThresholds.MIN_GROWTH) >= most
    }

private fun ScalabilityFit.words(most: Int): String {
    val quality = "(typical error ${percent(typicalError)}, R² ${"%.3f".format(Locale.ROOT, rSquared)})"
    val peak = peakConcurrency
    return when {
        !good -> "The Universal Scalability Law does not fit well $quality, so its parameters mean little."
        isFlat ->
            "Throughput does not grow with concurrency: it is the same from 1 to $most concurrent requests $quality."
        peak == null -> "Throughput has no peak up to $most concurrent requests, the highest level measured $quality."
        peakWasMeasured ->
            "Throughput peaks at ${whole(peakPerSecond!!)}/s with about ${whole(peak)} concurrent requests $quality."
        else ->
            "The law predicts the peak at about ${whole(peak)} concurrent requests $quality. " +
                "This is an extrapolation: no more than $most were measured."
    }
}
