package threadgauge.judge.knee

import threadgauge.judge.compare.CONFIDENCE
import threadgauge.judge.compare.outcome
import threadgauge.knee.ProcessKnee
import threadgauge.model.judgement.ComparisonOutcome
import threadgauge.model.judgement.KneeComparison
import threadgauge.model.judgement.KneeJudgement
import threadgauge.model.judgement.KneeOutcome
import threadgauge.stats.Interval
import threadgauge.stats.MIN_TRIALS
import threadgauge.stats.median
import threadgauge.stats.shared
import threadgauge.stats.typicalInterval

/** The knee of the first of [searches] beside that of each other, with the confidence shared among them. */
internal fun compareKnees(searches: List<TargetSearch>, margin: Double): List<KneeComparison> {
    val first = searches.firstOrNull() ?: return emptyList()
    val others = searches.drop(1)
    return others.mapNotNull { compared(first, it, margin, shared(CONFIDENCE, others.size)) }
}

private fun compared(first: TargetSearch, other: TargetSearch, margin: Double, confidence: Double): KneeComparison? {
    val names = first.judged.target to other.judged.target
    val pairs = first.processes.mapNotNull { (number, process) ->
        val beside = other.processes[number]
        if (process.knee == null || beside?.knee == null) null else process to beside
    }
    if (pairs.isEmpty()) return bounded(first.judged, other.judged, margin)
    val ratios = pairs.map { (a, b) -> a.knee!!.perSecond / b.knee!!.perSecond }
    val interval = interval(pairs, ratios, confidence)
    return KneeComparison(
        names.first, names.second, median(ratios), interval.low, interval.high, outcome(interval, margin), pairs.size,
    )
}

/**
 * From three blocks on, Student's interval over the ratios within them. Two do not show how much processes differ: the
 * interval spans those of both. With one it is that of its two searches.
 */
private fun interval(
    pairs: List<Pair<ProcessKnee, ProcessKnee>>,
    ratios: List<Double>,
    confidence: Double,
): Interval {
    val student = if (pairs.size >= MIN_TRIALS) typicalInterval(ratios, confidence) else null
    val middle = median(ratios)
    val each = pairs.map { (a, b) -> a.posterior!!.ratioTo(b.posterior!!, confidence) }
    val seen = student ?: Interval(each.minOf { it.low }, each.maxOf { it.high })
    return Interval(minOf(seen.low, middle), maxOf(seen.high, middle))
}

/** Where one target met its goals at every rate that was tried, and the other has a knee below that. */
private fun bounded(first: KneeJudgement, other: KneeJudgement, margin: Double): KneeComparison? {
    val low = first.atLeast?.let { atLeast -> other.knee?.let { atLeast / it.high } }
    val high = other.atLeast?.let { atLeast -> first.knee?.let { it.high / atLeast } }
    val outcome = when {
        low != null && low > 1 + margin -> ComparisonOutcome.MORE
        high != null && high < 1 / (1 + margin) -> ComparisonOutcome.LESS
        else -> return null
    }
    return KneeComparison(first.target, other.target, ratio = null, low, high, outcome, blocks = 0)
}

/** The highest rate that met the goals, where none of those that were tried broke them. */
private val KneeJudgement.atLeast: Double?
    get() = highestKept.takeIf { outcome == KneeOutcome.NEVER_BROKEN || outcome == KneeOutcome.AGENT_IS_THE_LIMIT }
