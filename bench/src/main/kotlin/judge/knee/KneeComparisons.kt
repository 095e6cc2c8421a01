package threadgauge.judge.knee

import threadgauge.judge.compare.CONFIDENCE
import threadgauge.judge.compare.outcome
import threadgauge.model.judgement.ComparisonOutcome
import threadgauge.model.judgement.KneeComparison
import threadgauge.model.judgement.KneeOutcome
import threadgauge.stats.median
import threadgauge.stats.shared

/** The knee of the first of [searches] beside that of each other, with the confidence shared among them. */
internal fun compareKnees(searches: List<TargetSearch>, margin: Double): List<KneeComparison> {
    val first = searches.firstOrNull() ?: return emptyList()
    val others = searches.drop(1)
    return others.mapNotNull { compared(first, it, margin, shared(CONFIDENCE, others.size)) }
}

private fun compared(first: TargetSearch, other: TargetSearch, margin: Double, confidence: Double): KneeComparison? {
    val names = first.judged.target to other.judged.target
    // Where most processes of a target have no knee, the others were chosen by how they came out.
    if (first.judged.knee == null || other.judged.knee == null) return bounded(first, other, margin)
    val pairs = first.processes.mapNotNull { (number, process) ->
        val beside = other.processes[number]
        if (process.knee == null || beside?.knee == null) null else process to beside
    }
    if (pairs.isEmpty()) return null
    val ratios = pairs.map { (a, b) -> a.knee!!.perSecond / b.knee!!.perSecond }
    val each = pairs.map { (a, b) -> a.posterior!!.ratioTo(b.posterior!!, confidence) }
    val interval = overProcesses(ratios, each, confidence)
    return KneeComparison(
        names.first, names.second, median(ratios), interval.low, interval.high, outcome(interval, margin), pairs.size,
    )
}

/**
 * Where one of the two has no knee, but a bound: it met its goals at every rate that was tried, or at none, and the
 * knee or the bound of the other lies on the far side of that.
 */
private fun bounded(first: TargetSearch, other: TargetSearch, margin: Double): KneeComparison? {
    val low = (first.least ?: return null) / (other.most ?: Double.MAX_VALUE)
    val high = (first.most ?: Double.MAX_VALUE) / (other.least ?: return null)
    val outcome = when {
        low > 1 + margin -> ComparisonOutcome.MORE
        high < 1 / (1 + margin) -> ComparisonOutcome.LESS
        else -> return null
    }
    val isMore = outcome == ComparisonOutcome.MORE
    return KneeComparison(
        first.judged.target, other.judged.target, ratio = null, low.takeIf { isMore }, high.takeUnless { isMore },
        outcome, blocks = 0,
    )
}

/** The knee is at least so high, as far as is known; 0 where nothing was met. */
private val TargetSearch.least: Double?
    get() = when (judged.outcome) {
        KneeOutcome.FOUND -> judged.knee?.low
        // Of every process that broke none.
        KneeOutcome.NEVER_BROKEN, KneeOutcome.AGENT_IS_THE_LIMIT ->
            processes.values.filter { it.outcome == judged.outcome }.minOfOrNull { it.highestKept ?: 0.0 }
        KneeOutcome.NEVER_KEPT -> 0.0
        KneeOutcome.CANNOT_TELL -> null
    }

/** The knee is at most so high, as far as is known; null where it may be any higher. */
private val TargetSearch.most: Double?
    get() = when (judged.outcome) {
        KneeOutcome.FOUND -> judged.knee?.high
        KneeOutcome.NEVER_KEPT -> judged.lowestBroken?.offeredPerSecond
        else -> null
    }
