package threadgauge.wording.doubt

import threadgauge.model.doubt.AgentDoubt
import threadgauge.wording.percent
import threadgauge.wording.plainPercent
import threadgauge.wording.whole

internal fun AgentDoubt.agentWords(): DoubtWords = when (this) {
    is AgentDoubt.NearItsCeiling -> DoubtWords(
        "the load agent ran at ${percent(share)} of its maximum throughput, ${whole(ceilingPerSecond)}/s " +
            "(limit ${percent(limit)})",
        "Use a machine with more cores, or lower the load.",
        "With a server that does nothing, the agent's latencies begin to rise at half of its maximum throughput. " +
            "Above 70 % its own queueing is as long as the latencies that it measures.",
    )
    is AgentDoubt.SentLate -> DoubtWords(
        "the p99 send delay was ${whole(p99Micros)} µs (limit ${whole(limitMicros)} µs), and latency includes it",
        "Use a machine with more cores, or lower the rate.",
        "A send delay of a tenth of the latency distorts it by a tenth at most. Users do not notice 1 ms.",
    )
    is AgentDoubt.CollectedGarbage -> DoubtWords(
        "garbage collection took ${percent(share)} of the load agent's time (limit ${plainPercent(limit)})",
        "Run again. Report an issue if it happens again.",
        "The agent allocates nothing per request. Its progress reports need less than 1 % of the window.",
    )
    is AgentDoubt.Lost -> DoubtWords(
        "load agents were lost, and ${percent(share)} of the load is missing",
        "Run again. The other agents share all loads after that one.",
        "A server with less load than was planned answers sooner.",
    )
    is AgentDoubt.NetworkBetween -> DoubtWords(
        "connections from the load agents' machines took ${whole(medianMicros)} µs to open " +
            "(${whole(shortestMicros)} to ${whole(longestMicros)} µs), and latencies include the network",
        if (varies) "Use agents that are nearer, or compare by throughput." else "Nothing, if users are as far away.",
        "Opening a connection takes one round trip. Every answer takes one, too.",
    )
    is AgentDoubt.ClocksApart -> DoubtWords(
        "the load agents may have started up to ${whole(boundMicros)} µs apart (limit ${whole(limitMicros)} µs)",
        "Nothing, unless it is a burst. Agents in the network of the coordinator start together.",
        "Each latency is measured by one clock. Only the beginning of a load depends on several.",
    )
}
