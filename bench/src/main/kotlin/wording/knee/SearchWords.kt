package threadgauge.wording.knee

import threadgauge.model.doubt.Doubt
import threadgauge.model.judgement.KneeJudgement
import threadgauge.model.judgement.KneesJudgement
import threadgauge.model.judgement.Sizing
import threadgauge.stats.MIN_TRIALS
import threadgauge.wording.counted
import threadgauge.wording.digits
import threadgauge.wording.doubt.seen
import threadgauge.wording.listed
import threadgauge.wording.plainPercent

/** How many replicas the wanted rate needs, and what that assumes. */
internal fun Sizing.words(): String {
    val cores = coresEach?.let { " of ${counted(it.toLong(), "core")} each" }.orEmpty()
    val most = if (atMost) "at most " else ""
    val each = if (atMost) "the highest rate that met the goals" else "the lower end of the interval"
    return "For ${perSecond(wantPerSecond)} with ${plainPercent(headroom)} headroom: " +
        "$most${counted(replicas, "replica")}$cores, at ${perSecond(eachPerSecond)} per replica ($each). " +
        "This assumes that replicas scale linearly, that the load balancer costs nothing, " +
        "and that their cores are as fast as this machine's."
}

/** How all were searched; for one target how its knee was found. */
internal fun KneesJudgement.methodWords(): String {
    targets.singleOrNull()?.let { return it.methodWords() }
    val fresh = targets.maxOf { it.processes.size }
    if (fresh == 0) return "No process was measured."
    val how = if (fresh == 1) "One fresh process each" else "$fresh fresh processes each"
    val open = listed(targets.map { target -> "${target.probes.count { it.outcome != null }}" })
    val length = digits(targets.first().question.probeNanos / 1e9)
    val pairs = comparisons.minOfOrNull { it.blocks } ?: 0
    val interval = when {
        pairs >= MIN_TRIALS ->
            " The 95 % interval of a ratio is over the ratios of " +
                if (inTurns) "processes of the same number." else "processes that were alive together."
        pairs == 2 -> " The interval of a ratio spans those of both pairs of processes."
        pairs == 1 -> " The 95 % interval of a ratio is that of one process of each."
        else -> ""
    }
    val way = if (inTurns) "searched one after the other" else "loaded in turn"
    return "$how, warmed up and then $way: $open probes with Poisson arrivals, $length s each near the " +
        "knee.$interval"
}

/** The number of processes and probes of the search, and what the interval covers. */
internal fun KneeJudgement.methodWords(): String {
    val fresh = processes.size
    if (fresh == 0) return "No process was measured."
    val how = if (fresh == 1) "One fresh process, warmed up" else "$fresh fresh processes, each warmed up"
    val interval = when {
        knee == null -> ""
        fresh >= MIN_TRIALS -> " The 95 % interval includes the differences between processes."
        fresh == 2 -> " The interval spans the 95 % intervals of both processes."
        else -> " The 95 % interval is that of this one process."
    }
    val open = probes.count { it.outcome != null }
    val length = digits(question.probeNanos / 1e9)
    return "$how: ${counted(open.toLong(), "probe")} with Poisson arrivals, $length s each near the knee." + interval
}

/** The doubts about all targets: what several have in common once, what one has alone after its name. */
internal fun KneesJudgement.doubtsOfTargets(): List<Pair<String, Doubt>> {
    val all = targets.flatMap { target -> target.doubts.map { target.target to it } }
    return all.groupBy { (_, doubt) -> doubt.seen }.values.map { alike ->
        val whose = alike.map { (target, _) -> target }
        (if (whose.size == targets.size) "" else listed(whose) + ": ") to alike.first().second
    }
}
