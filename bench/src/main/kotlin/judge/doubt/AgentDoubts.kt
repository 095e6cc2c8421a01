package threadgauge.judge.doubt

import threadgauge.model.Load
import threadgauge.model.judgement.LATENCY_PER_LATENESS
import threadgauge.model.judgement.MAX_SHARE_OF_CEILING
import threadgauge.model.judgement.SOUND_SHARE_OF_CEILING
import threadgauge.model.users
import threadgauge.wording.percent
import threadgauge.wording.whole

/** Doubts about the load agent: was it the agent that was measured? */
internal val agentDoubts = listOf(
    SampleRule(
        "agent-near-its-ceiling",
        "Against a server that does nothing the agent's latencies begin to rise at half of its own ceiling; above 70 % its queueing is " +
            "of the size of what is measured.",
        "Use a machine with more cores, or lower the load.",
    ) { e ->
        val ceiling = e.environment.agentCeiling?.requestsPerSecond ?: return@SampleRule null
        val share = e.sample.perSecond / ceiling
        val seen = "the agent worked at ${percent(share)} of the ${whole(ceiling)}/s it can do here (limit 50 %)"
        if (share > MAX_SHARE_OF_CEILING) invalid(seen) else if (share > SOUND_SHARE_OF_CEILING) suspect(seen) else null
    },
    SampleRule(
        "sent-late",
        "A latency ten times the lateness of its request is off by a tenth at most; 1 ms is the longest that nobody waits for.",
        "Use a machine with more cores, or lower the rate.",
    ) { e ->
        val load = e.situation.load
        // A burst among steps connects when it comes, so its requests leave late on any machine.
        if (load.users != null || load is Load.Steps && load.parts.any { it is Load.Burst }) return@SampleRule null
        val late = e.sample.sendDelay.p99Micros
        val limit = minOf(1_000.0, e.sample.latency.p50Micros / LATENCY_PER_LATENESS)
        val seen = "1 % of requests left more than ${whole(late)} µs late (limit ${whole(limit)} µs); their latency includes it"
        if (late > limit) suspect(seen) else null
    },
    SampleRule(
        "agent-collected-garbage",
        "The agent makes no garbage on the path of a request; a hundredth of the window is more than its own reports cost.",
        "Run again; tell us if it stays.",
    ) { e ->
        val share = e.sample.agent.collectionMillis / e.sample.windowMillis
        if (share > 0.01) suspect("the agent spent ${percent(share)} of the window collecting garbage (limit 1 %)") else null
    },
)
