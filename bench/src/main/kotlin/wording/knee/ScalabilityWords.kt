package threadgauge.wording.knee

import java.util.Locale
import threadgauge.model.judgement.Scalability
import threadgauge.model.judgement.ScalabilityFit
import threadgauge.wording.percent
import threadgauge.wording.whole

/** What to think of a fitted law, and where throughput peaks, in one sentence. */
internal fun Scalability.words(): String {
    val most = points.maxOf { it.concurrency }
    return fit?.words(most)
        ?: "The Universal Scalability Law needs $minPoints concurrencies with answers; there are ${points.size}."
}

private fun ScalabilityFit.words(most: Int): String {
    val quality = "a point lies ${percent(typicalError)} from the curve, R² is ${"%.3f".format(Locale.ROOT, rSquared)}"
    val peak = peakConcurrency
    return when {
        !good -> "The law does not fit this target well ($quality), so its parameters mean little."
        peak == null ->
            "Throughput has no peak: it levels off or rises up to $most at a time, the most that was measured " +
                "($quality)."
        peakWasMeasured ->
            "Throughput is highest, ${whole(peakPerSecond!!)}/s, at about ${whole(peak)} at a time ($quality)."
        else ->
            "The law puts the peak at about ${whole(peak)} at a time, beyond the $most that were measured, " +
                "so nobody has seen it ($quality)."
    }
}
