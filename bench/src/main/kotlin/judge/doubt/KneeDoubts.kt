package threadgauge.judge.doubt

import threadgauge.knee.AGENTS
import threadgauge.model.Record
import threadgauge.model.judgement.JudgedProbe
import threadgauge.model.judgement.Knee
import threadgauge.model.judgement.ProbeNote
import threadgauge.model.judgement.ProbeOutcome
import threadgauge.stats.MIN_TRIALS
import threadgauge.wording.percent

/**
 * Everything known about a search for the knee. [found] has what each process came to, null where it found none; [knee] is what
 * they say together.
 */
internal class KneeEvidence(val record: Record, val probes: List<JudgedProbe>, val found: List<Knee?>, val knee: Knee?) {
    val tolerance = checkNotNull(record.plan.knee).tolerance

    /** Of the interval, as a share of its lower end. */
    val width = knee?.let { it.high / it.low - 1 } ?: 0.0
    val judged = probes.filter { it.outcome != null }
}

/** Doubts about a search as a whole. Where one has the name of a doubt about runs, it asks the same of probes or processes. */
internal val kneeDoubts = listOf(
    KneeRule(
        "few-processes",
        "Fresh processes of one program differ, and one or two do not say by how much.",
        "Use --trials $MIN_TRIALS or more.",
    ) { seen ->
        val fresh = "${seen.record.trials.size} fresh ${if (seen.record.trials.size == 1) "process" else "processes"}"
        val few = seen.found.count { it != null } < MIN_TRIALS
        if (seen.knee != null && few) suspect("$fresh: what differs from one start to the next is not in the interval") else null
    },
    KneeRule(
        "wide-interval",
        "The search stops at the width that was asked for, unless its probes or its time ran out before.",
        "Near the knee chance decided: allow more probes with --probes or longer ones with --probe, or take a quieter machine.",
    ) { seen ->
        val wide = "the search ended with an interval of ${percent(seen.width)}, wider than ${percent(seen.tolerance)}"
        if (seen.width > seen.tolerance && seen.found.size == 1) suspect(wide) else null
    },
    KneeRule(
        "processes-disagree",
        "A process without a knee is not in the interval, though it is one of those that were started.",
        "Look at the probes of the process that found none.",
    ) { seen ->
        val lost = seen.found.count { it == null }
        if (seen.knee != null && lost > 0) suspect("$lost of ${seen.found.size} processes found no knee") else null
    },
    KneeRule(
        "not-steady",
        "A server that still gets faster breaks a goal early in the search that it would keep later, so the knee comes out too low.",
        "Give it a longer --warm-up, or run again.",
    ) { seen ->
        val unsteady = seen.record.trials.count { it.warmUp?.steady == false }
        val all = seen.record.trials.size
        if (unsteady > 0) suspect("$unsteady of $all processes were still getting faster when the search began") else null
    },
    KneeRule(
        "few-samples",
        "A percentile that rests on a handful of answers jumps from probe to probe, and the knee with it.",
        "Lengthen the probes with --probe.",
    ) { seen ->
        val few = seen.judged.count { probe -> probe.notes.any { it is ProbeNote.FewAnswers } }
        if (few > 0) suspect("$few of ${seen.judged.size} probes had few answers for their percentile") else null
    },
    KneeRule(
        "stolen-time",
        "What another machine takes from the same processor is missing to the target, though nobody here used it.",
        "Use a machine that is not shared.",
    ) { seen ->
        val stolen = seen.probes.count { probe -> probe.notes.any { it is ProbeNote.StolenTime } }
        val words = "the hypervisor took more than 2 % of the machine's time in $stolen of ${seen.probes.size} probes"
        if (stolen > 0) suspect(words) else null
    },
    KneeRule(
        "agent",
        "A load that comes late is not the load that was asked for, so the probe is left out of the search.",
        "Use a machine with more cores, or a quieter one.",
    ) { seen ->
        val limited = seen.judged.count { it.outcome in AGENTS }
        val words = "in $limited of ${seen.judged.size} probes the load agent was too busy or late, so they say nothing about the target"
        if (limited > 0) suspect(words) else null
    },
)
