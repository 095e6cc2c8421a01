package threadgauge.judge.doubt

import threadgauge.knee.AGENTS
import threadgauge.model.Trial
import threadgauge.model.doubt.DoubtId
import threadgauge.model.doubt.KneeDoubt
import threadgauge.model.judgement.DoubtLimits
import threadgauge.model.judgement.JudgedProbe
import threadgauge.model.judgement.Knee
import threadgauge.model.judgement.ProbeNote
import threadgauge.model.plan.KneeQuestion
import threadgauge.stats.MIN_TRIALS

/**
 * The input of a [KneeRule]: [trials] of one stack. [found] has the result of each process, null where it found none;
 * [knee] is their common result.
 */
internal class KneeEvidence(
    question: KneeQuestion,
    val trials: List<Trial>,
    val probes: List<JudgedProbe>,
    val found: List<Knee?>,
    val knee: Knee?,
) {
    val tolerance = question.tolerance

    /** Width of the interval, as a share of its lower end. */
    val width = knee?.let { it.high / it.low - 1 } ?: 0.0
    val judged = probes.filter { it.outcome != null }
}

/** Doubts about a search as a whole. Rules with the id of a doubt about runs test the same for probes or processes. */
internal val kneeDoubts = listOf(
    KneeRule(DoubtId.FEW_PROCESSES) { seen ->
        val few = seen.found.count { it != null } < MIN_TRIALS
        if (seen.knee != null && few) suspect(KneeDoubt.FewProcesses(seen.trials.size, MIN_TRIALS)) else null
    },
    KneeRule(DoubtId.WIDE_INTERVAL) { seen ->
        val isWide = seen.width > seen.tolerance && seen.found.size == 1
        if (isWide) suspect(KneeDoubt.WideInterval(seen.width, seen.tolerance)) else null
    },
    KneeRule(DoubtId.PROCESSES_DISAGREE) { seen ->
        val without = seen.found.count { it == null }
        val found = KneeDoubt.ProcessesDisagree(without, seen.found.size)
        if (seen.knee != null && without > 0) suspect(found) else null
    },
    KneeRule(DoubtId.NOT_STEADY) { seen ->
        val unsteady = seen.trials.count { it.warmUp?.steady == false }
        if (unsteady > 0) suspect(KneeDoubt.NotSteady(unsteady, seen.trials.size)) else null
    },
    KneeRule(DoubtId.FEW_SAMPLES) { seen ->
        val few = seen.judged.count { probe -> probe.notes.any { it is ProbeNote.FewAnswers } }
        if (few > 0) suspect(KneeDoubt.FewSamples(few, seen.judged.size)) else null
    },
    KneeRule(DoubtId.STOLEN_TIME) { seen ->
        val stolen = seen.probes.count { probe -> probe.notes.any { it is ProbeNote.StolenTime } }
        val found = KneeDoubt.StolenTime(stolen, seen.probes.size, DoubtLimits.STOLEN_TIME)
        if (stolen > 0) suspect(found) else null
    },
    KneeRule(DoubtId.AGENT) { seen ->
        val limited = seen.judged.count { it.outcome in AGENTS }
        if (limited > 0) suspect(KneeDoubt.Agent(limited, seen.judged.size)) else null
    },
)
