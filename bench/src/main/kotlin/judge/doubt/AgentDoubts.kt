package threadgauge.judge.doubt

import threadgauge.model.Load
import threadgauge.model.doubt.AgentDoubt
import threadgauge.model.doubt.DoubtId
import threadgauge.model.judgement.DoubtLimits
import threadgauge.model.judgement.LATENCY_PER_LATENESS
import threadgauge.model.judgement.MAX_SHARE_OF_CEILING
import threadgauge.model.judgement.SOUND_SHARE_OF_CEILING
import threadgauge.model.users

/** Doubts about the load agent: whether it, rather than the target, limited the result. */
internal val agentDoubts = listOf(
    SampleRule(DoubtId.AGENT_NEAR_ITS_CEILING) { e ->
        val ceiling = e.environment.agentCeiling?.requestsPerSecond ?: return@SampleRule null
        val share = e.sample.perSecond / ceiling
        val found = AgentDoubt.NearItsCeiling(share, ceiling, limit = SOUND_SHARE_OF_CEILING)
        when {
            share > MAX_SHARE_OF_CEILING -> invalid(found)
            share > SOUND_SHARE_OF_CEILING -> suspect(found)
            else -> null
        }
    },
    SampleRule(DoubtId.SENT_LATE) { e ->
        val load = e.situation.load
        // A burst among steps opens its connections when it starts, so its requests are sent late on any machine.
        if (load.users != null || load is Load.Steps && load.parts.any { it is Load.Burst }) return@SampleRule null
        val late = e.sample.sendDelay.p99Micros
        val limit = minOf(DoubtLimits.SENT_LATE_MICROS, e.sample.latency.p50Micros / LATENCY_PER_LATENESS)
        if (late > limit) suspect(AgentDoubt.SentLate(late, limit)) else null
    },
    SampleRule(DoubtId.AGENT_COLLECTED_GARBAGE) { e ->
        val share = e.sample.agent.collectionMillis / e.sample.windowMillis
        val limit = DoubtLimits.AGENT_COLLECTION_SHARE
        if (share > limit) suspect(AgentDoubt.CollectedGarbage(share, limit)) else null
    },
    SampleRule(DoubtId.AGENTS_LOST) { e ->
        e.sample.missingShare.takeIf { it > 0 }?.let { invalid(AgentDoubt.Lost(it)) }
    },
    SampleRule(DoubtId.NETWORK_BETWEEN) { e ->
        val micros = e.trial.reachNanos.flatten().map { it / 1e3 }.sorted()
        if (micros.isEmpty()) return@SampleRule null
        val latency = e.sample.latency.p50Micros
        val median = micros[micros.size / 2]
        val varies = micros.last() - micros.first() > DoubtLimits.NETWORK_SPREAD * latency
        val found = AgentDoubt.NetworkBetween(median, micros.first(), micros.last(), varies)
        if (varies) suspect(found) else if (median > DoubtLimits.NETWORK_SHARE * latency) note(found) else null
    },
    RunRule(DoubtId.CLOCKS_APART) { record ->
        val remote = record.environment.remoteAgents
        val bound = remote.maxOfOrNull { it.clock.boundNanos / 1e3 } ?: return@RunRule null
        val limit = DoubtLimits.CLOCKS_APART_MICROS
        if (remote.size > 1 && bound > limit) note(AgentDoubt.ClocksApart(bound, limit)) else null
    },
)
