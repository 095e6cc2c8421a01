package threadgauge.wording.knee

import threadgauge.model.judgement.KneeJudgement
import threadgauge.model.judgement.Sizing
import threadgauge.wording.counted
import threadgauge.wording.digits
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

/** The number of processes and probes of the search, and what the interval covers. */
internal fun KneeJudgement.methodWords(): String {
    val fresh = processes.size
    if (fresh == 0) return "No process was measured."
    val how = if (fresh == 1) "One fresh process, warmed up" else "$fresh fresh processes, each warmed up"
    val interval = when {
        knee == null -> ""
        fresh >= 3 -> " The 95 % interval includes the differences between processes."
        fresh == 2 -> " The interval spans the 95 % intervals of both processes."
        else -> " The 95 % interval is that of this one process."
    }
    val open = probes.count { it.outcome != null }
    val length = digits(question.probeNanos / 1e9)
    return "$how: ${counted(open.toLong(), "probe")} with Poisson arrivals, $length s each near the knee." + interval
}
