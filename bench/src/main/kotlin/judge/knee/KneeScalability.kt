package threadgauge.judge.knee

import kotlin.math.exp
import kotlin.math.ln
import threadgauge.model.Load
import threadgauge.model.judgement.CurvePoint
import threadgauge.model.judgement.Estimated
import threadgauge.model.judgement.JudgedProbe
import threadgauge.model.judgement.Scalability
import threadgauge.model.judgement.ScalabilityFit
import threadgauge.model.judgement.ScalabilityPoint
import threadgauge.stats.MIN_POINTS
import threadgauge.stats.ScalabilityBand
import threadgauge.stats.ScalabilityLaw
import threadgauge.stats.Throughput
import threadgauge.stats.fitScalability
import threadgauge.stats.rSquared
import threadgauge.stats.typicalError
import threadgauge.wording.percent
import threadgauge.wording.whole

/**
 * The law of the closed loads among [probes]; null where there were none. Closed loads, because there the concurrency is set and not
 * measured, and because they show what lies past the peak, where an open load has no steady state.
 */
internal fun scalability(probes: List<JudgedProbe>): Scalability? {
    val points = probes.mapNotNull { probe ->
        (probe.load as? Load.Users)?.let { ScalabilityPoint(it.users, probe.answeredPerSecond, probe.name, probe.trial) }
    }
    if (points.isEmpty()) return null
    val measured = points.map { Throughput(it.concurrency.toDouble(), it.perSecond) }
    val law = fitScalability(measured) ?: return Scalability(
        points, words = "The Universal Scalability Law needs $MIN_POINTS concurrencies with answers; there are ${points.size}.",
    )
    val fit = fit(measured, law)
    return Scalability(points, fit, words(fit, points.maxOf { it.concurrency }))
}

private fun fit(points: List<Throughput>, law: ScalabilityLaw): ScalabilityFit {
    val band = ScalabilityBand.of(points, law)
    fun estimated(value: (ScalabilityLaw) -> Double) = value(law).let { fitted ->
        val interval = band.interval(value)
        Estimated(fitted, minOf(fitted, interval?.low ?: fitted), maxOf(fitted, interval?.high ?: fitted))
    }
    val most = points.maxOf { it.concurrency }
    return ScalabilityFit(
        lambda = estimated { it.lambda },
        sigma = estimated { it.sigma },
        kappa = estimated { it.kappa },
        rSquared = law.rSquared(points),
        typicalError = law.typicalError(points),
        peakConcurrency = law.peak,
        peakPerSecond = law.peak?.let { law.at(it) },
        peakWasMeasured = law.peak?.let { it <= most } ?: false,
        curve = (0..CURVE_POINTS).map { step ->
            val concurrency = exp(ln(most) * step / CURVE_POINTS)
            val here = estimated { it.at(concurrency) }
            CurvePoint(concurrency, here.value, here.low, here.high)
        },
    )
}

private fun words(fit: ScalabilityFit, most: Int): String {
    val bad = fit.rSquared < MIN_R_SQUARED || fit.typicalError > MAX_TYPICAL_ERROR
    val quality = "a point lies ${percent(fit.typicalError)} from the curve, R² is ${"%.3f".format(java.util.Locale.ROOT, fit.rSquared)}"
    val peak = fit.peakConcurrency
    return when {
        bad -> "The law does not fit this target well ($quality), so its parameters mean little."
        peak == null -> "Throughput has no peak: it levels off or rises up to $most at a time, the most that was measured ($quality)."
        fit.peakWasMeasured -> "Throughput is highest, ${whole(fit.peakPerSecond!!)}/s, at about ${whole(peak)} at a time ($quality)."
        else -> "The law puts the peak at about ${whole(peak)} at a time, beyond the $most that were measured, so nobody has seen it " +
            "($quality)."
    }
}

private const val CURVE_POINTS = 40

/** Our choice: worse, and a point is as far off as the differences that people read from such a curve. */
private const val MIN_R_SQUARED = 0.90
private const val MAX_TYPICAL_ERROR = 0.10
