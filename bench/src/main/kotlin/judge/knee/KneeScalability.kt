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
import threadgauge.model.judgement.ScalabilityThresholds
import threadgauge.stats.MIN_POINTS
import threadgauge.stats.ScalabilityBand
import threadgauge.stats.ScalabilityLaw
import threadgauge.stats.Throughput
import threadgauge.stats.fitScalability
import threadgauge.stats.rSquared
import threadgauge.stats.typicalError

/**
 * The law fitted to the closed loads among [probes]; null where there are none. Closed loads, because their concurrency
 * is set rather than measured, and because they show throughput beyond the peak, where an open load has no steady
 * state.
 */
internal fun scalability(probes: List<JudgedProbe>): Scalability? {
    val points = probes.mapNotNull { probe ->
        (probe.load as? Load.Users)
            ?.let { ScalabilityPoint(it.users, probe.answeredPerSecond, probe.name, probe.trial) }
    }
    if (points.isEmpty()) return null
    val measured = points.map { Throughput(it.concurrency.toDouble(), it.perSecond) }
    return Scalability(points, MIN_POINTS, fitScalability(measured)?.let { fit(measured, it) })
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
        good = isGood(law.rSquared(points), law.typicalError(points)),
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

private fun isGood(rSquared: Double, typicalError: Double) =
    typicalError <= ScalabilityThresholds.SMALL_TYPICAL_ERROR ||
        rSquared >= ScalabilityThresholds.MIN_R_SQUARED && typicalError <= ScalabilityThresholds.MAX_TYPICAL_ERROR

private const val CURVE_POINTS = 40
