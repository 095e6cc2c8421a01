package threadgauge.wording.doubt

import threadgauge.model.doubt.KneeDoubt
import threadgauge.wording.percent
import threadgauge.wording.plainPercent

internal fun KneeDoubt.kneeWords(): DoubtWords = when (this) {
    is KneeDoubt.FewProcesses -> DoubtWords(
        "$processes fresh ${if (processes == 1) "process" else "processes"}: " +
            "what differs from one start to the next is not in the interval",
        "Use --trials $needed or more.",
        "Fresh processes of one program differ, and one or two do not say by how much.",
    )
    is KneeDoubt.WideInterval -> DoubtWords(
        "the search ended with an interval of ${percent(width)}, wider than ${percent(tolerance)}",
        "Near the knee chance decided: allow more probes with --probes or longer ones with --probe, or take a " +
            "quieter machine.",
        "The search stops at the width that was asked for, unless its probes or its time ran out before.",
    )
    is KneeDoubt.ProcessesDisagree -> DoubtWords(
        "$without of $of processes found no knee",
        "Look at the probes of the process that found none.",
        "A process without a knee is not in the interval, though it is one of those that were started.",
    )
    is KneeDoubt.NotSteady -> DoubtWords(
        "$unsteady of $of processes were still getting faster when the search began",
        "Give it a longer --warm-up, or run again.",
        "A server that still gets faster breaks a goal early in the search that it would keep later, so the knee " +
            "comes out too low.",
    )
    is KneeDoubt.FewSamples -> DoubtWords(
        "$few of $of probes had few answers for their percentile",
        "Lengthen the probes with --probe.",
        "A percentile that rests on a handful of answers jumps from probe to probe, and the knee with it.",
    )
    is KneeDoubt.StolenTime -> DoubtWords(
        "the hypervisor took more than ${plainPercent(limit)} of the machine's time in $stolen of $of probes",
        "Use a machine that is not shared.",
        "What another machine takes from the same processor is missing to the target, though nobody here used it.",
    )
    is KneeDoubt.Agent -> DoubtWords(
        "in $limited of $of probes the load agent was too busy or late, so they say nothing about the target",
        "Use a machine with more cores, or a quieter one.",
        "A load that comes late is not the load that was asked for, so the probe is left out of the search.",
    )
}
