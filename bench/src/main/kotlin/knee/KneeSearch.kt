package threadgauge.knee

/** Bounds and stopping rules of a search for the knee. Rates are requests per second. */
data class SearchRule(
    val lowest: Double,
    val highest: Double,
    /** The first rate. */
    val first: Double,
    /** Factor from one rate to the next until a probe is broken. */
    val growth: Double = 1.5,
    /** The search ends when the upper end of the interval exceeds its lower end by at most this share. */
    val tolerance: Double = 0.05,
    val maxAttempts: Int = 20,
)

/** The next step of a search. */
sealed interface SearchStep {
    /** Probe [perSecond]. [near] the knee the probe has its full length. */
    data class Try(val perSecond: Double, val near: Boolean) : SearchStep
    data class Stop(val why: SearchEnd) : SearchStep
}

/** Why a search ended. */
enum class SearchEnd { CLOSE_ENOUGH, OUT_OF_ATTEMPTS, KEPT_AT_THE_TOP, BROKEN_AT_THE_BOTTOM }

/**
 * The next step of a search that has seen [attempts], in order: a pure function, so that searches can be tested on
 * simulated servers.
 *
 * First the rate grows by a factor until an attempt is broken, or shrinks until one is kept. Then each attempt is made
 * at the median of [KneePosterior], where it gives the most information, because both outcomes are equally likely. On a
 * deterministic server that is bisection; on a noisy one it is probabilistic bisection (Horstein, *IEEE Transactions on
 * Information Theory* 9, 1963; Waeber, Frazier and Henderson, *SIAM Journal on Control and Optimization* 51, 2013),
 * which repeats probes near the knee instead of trusting each outcome.
 */
fun nextStep(rule: SearchRule, attempts: List<Attempt>): SearchStep {
    val kept = attempts.filter { it.kept }
    val broken = attempts.filterNot { it.kept }
    val atTop = kept.count { it.perSecond >= rule.highest * NEARLY }
    val atBottom = broken.count { it.perSecond <= rule.lowest / NEARLY }
    return when {
        atTop >= ENOUGH && broken.none { it.perSecond >= rule.highest * NEARLY } ->
            SearchStep.Stop(SearchEnd.KEPT_AT_THE_TOP)
        atBottom >= ENOUGH && kept.isEmpty() -> SearchStep.Stop(SearchEnd.BROKEN_AT_THE_BOTTOM)
        attempts.size >= rule.maxAttempts -> SearchStep.Stop(SearchEnd.OUT_OF_ATTEMPTS)
        attempts.isEmpty() -> SearchStep.Try(rule.first.coerceIn(rule.lowest, rule.highest), near = false)
        broken.isEmpty() -> (kept.maxOf { it.perSecond } * rule.growth).let { rate ->
            if (rate >= rule.highest * NEARLY) {
                SearchStep.Try(rule.highest, near = true)
            } else {
                SearchStep.Try(rate, near = false)
            }
        }
        kept.isEmpty() -> SearchStep.Try(maxOf(broken.minOf { it.perSecond } / SHRINK, rule.lowest), near = false)
        else -> bisect(rule, attempts)
    }
}

private fun bisect(rule: SearchRule, attempts: List<Attempt>): SearchStep {
    val posterior = posterior(rule, attempts)
    val interval = posterior.interval()
    val enough = attempts.size >= MIN_ATTEMPTS && interval.high <= interval.low * (1 + rule.tolerance)
    val atTop = attempts.count { it.kept && it.perSecond >= rule.highest * NEARLY }
    return when {
        // Broken once and kept more often: the knee is above the highest rate allowed.
        atTop >= ENOUGH && posterior.median >= rule.highest -> SearchStep.Stop(SearchEnd.KEPT_AT_THE_TOP)
        enough -> SearchStep.Stop(SearchEnd.CLOSE_ENOUGH)
        else -> SearchStep.Try(posterior.median.coerceIn(rule.lowest, rule.highest), near = true)
    }
}

/** The posterior of the knee after [attempts] of a search by [rule]. */
fun posterior(rule: SearchRule, attempts: List<Attempt>): KneePosterior =
    KneePosterior.of(attempts, rule.lowest / ROOM, maxOf(rule.highest, attempts.maxOf { it.perSecond }) * ROOM)

/** Tolerance of a bound, because a Poisson load has not exactly the intended rate. */
private const val NEARLY = 0.95

/** A single broken probe could be a disturbance. */
private const val ENOUGH = 2

/** The knee can be outside the bounds. */
private const val ROOM = 1.1
private const val SHRINK = 3.0
private const val MIN_ATTEMPTS = 6
