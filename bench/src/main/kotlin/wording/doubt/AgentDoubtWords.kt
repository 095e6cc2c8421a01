package threadgauge.wording.doubt

import threadgauge.model.doubt.AgentDoubt
import threadgauge.wording.percent
import threadgauge.wording.plainPercent
import threadgauge.wording.whole

internal fun AgentDoubt.agentWords(): DoubtWords = when (this) {
    is AgentDoubt.NearItsCeiling -> DoubtWords(
        "the agent worked at ${percent(share)} of the ${whole(ceilingPerSecond)}/s it can do here (limit " +
            "${percent(limit)})",
        "Use a machine with more cores, or lower the load.",
        "Against a server that does nothing the agent's latencies begin to rise at half of its own ceiling; above " +
            "70 % its queueing " +
            "is of the size of what is measured.",
    )
    is AgentDoubt.SentLate -> DoubtWords(
        "1 % of requests left more than ${whole(p99Micros)} µs late (limit ${whole(limitMicros)} µs); their latency " +
            "includes it",
        "Use a machine with more cores, or lower the rate.",
        "A latency ten times the lateness of its request is off by a tenth at most; 1 ms is the longest that nobody " +
            "waits for.",
    )
    is AgentDoubt.CollectedGarbage -> DoubtWords(
        "the agent spent ${percent(share)} of the window collecting garbage (limit ${plainPercent(limit)})",
        "Run again; tell us if it stays.",
        "The agent makes no garbage on the path of a request; a hundredth of the window is more than its own " +
            "reports cost.",
    )
}
