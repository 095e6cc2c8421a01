package threadgauge.stats

import java.util.Random
import kotlin.math.exp
import kotlin.math.ln
import kotlin.math.sqrt
import org.apache.commons.statistics.distribution.TDistribution

/** Uncertainty of the law of [points]: laws fitted to points that could have been measured as well. */
class ScalabilityBand private constructor(private val laws: List<ScalabilityLaw>) {
    /** The central 95 % of [value] over the laws; null where too few of them have one. */
    fun interval(value: (ScalabilityLaw) -> Double?): Interval? {
        val values = laws.mapNotNull(value).sorted()
        if (values.size < laws.size / 2 || values.isEmpty()) return null
        fun quantile(share: Double) = values[(share * (values.size - 1)).toInt()]
        return Interval(quantile(0.025), quantile(0.975))
    }

    companion object {
        /**
         * Bootstrap of residuals (Efron and Tibshirani, *An Introduction to the Bootstrap*, 1993, chapter 9): each law
         * is fitted to the curve of [law] with errors drawn from those of [points], as shares and centred. They are
         * enlarged by √(n / (n − 3)) for the three parameters that were fitted to them, and by the ratio of Student's
         * quantile with n − 3 degrees of freedom to the normal one, because few errors underestimate how large errors
         * can be. The same [seed] gives the same laws.
         */
        fun of(points: List<Throughput>, law: ScalabilityLaw, laws: Int = 1_000, seed: Long = 1): ScalabilityBand {
            val errors = points.map { ln(it.perSecond / law.at(it.concurrency)) }
            val mean = errors.average()
            val freedom = maxOf(1.0, points.size - 3.0)
            val student = TDistribution.of(freedom).inverseSurvivalProbability(0.025) / NORMAL
            val factor = sqrt(points.size / freedom) * student
            val drawn = errors.map { (it - mean) * factor }
            val random = Random(seed)
            fun another(point: Throughput) =
                point.copy(perSecond = law.at(point.concurrency) * exp(drawn[random.nextInt(drawn.size)]))
            return ScalabilityBand(List(laws) { fitScalability(points.map(::another)) ?: law })
        }
    }
}

/** The quantile of the normal distribution that 2.5 % of the values exceed. */
private const val NORMAL = 1.96
