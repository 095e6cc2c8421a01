package threadgauge.wording.knee

import threadgauge.model.judgement.KneeJudgement
import threadgauge.model.judgement.Sizing
import threadgauge.wording.counted
import threadgauge.wording.digits

/** How many replicas a wanted rate takes, and what that assumes. */
internal fun Sizing.words(): String {
    val cores = coresEach?.let { " of ${counted(it.toLong(), "core")}" }.orEmpty()
    val most = if (atMost) "at most " else ""
    return "For ${perSecond(wantPerSecond)} with ${digits(headroom * 100)}% head-room: " +
        "$most${counted(replicas, "replica")}$cores each, at ${perSecond(eachPerSecond)} apiece (the lower end). " +
        "This assumes that replicas scale linearly, that the balancer is free, " +
        "and that their cores are like this machine's."
}

/** In how many processes and probes the knee was looked for, and what its interval holds. */
internal fun KneeJudgement.howItWasSought(): String {
    val fresh = processes.size
    val how = if (fresh == 1) "One fresh process, warmed up" else "$fresh fresh processes, each warmed up"
    val spread = when {
        knee == null -> ""
        fresh >= 3 -> " The interval (95 %) holds what differs between processes."
        fresh == 2 -> " The interval spans those of both processes (95 % each)."
        else -> " The interval (95 %) is that of the search in this process."
    }
    val open = probes.count { it.outcome != null }
    val length = digits(question.probeNanos / 1e9)
    return "$how: ${counted(open.toLong(), "probe")} with Poisson arrivals, $length s each near the knee." + spread
}
