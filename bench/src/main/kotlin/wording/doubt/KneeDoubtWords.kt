package threadgauge.wording.doubt

import threadgauge.model.doubt.KneeDoubt
import threadgauge.wording.counted
import threadgauge.wording.percent
import threadgauge.wording.plainPercent

internal fun KneeDoubt.kneeWords(): DoubtWords = when (this) {
    is KneeDoubt.FewProcesses -> DoubtWords(
        "only ${counted(processes.toLong(), "fresh process", "fresh processes")}, " +
            "so the interval does not include differences between processes",
        "Use --trials $needed or more.",
        "Fresh processes of one program differ. One or two do not show by how much.",
    )
    is KneeDoubt.WideInterval -> DoubtWords(
        "the interval of the knee is ${percent(width)} wide (limit ${percent(tolerance)})",
        "Allow more probes with --probes or longer ones with --probe, or use a quieter machine.",
        "The search stops at the requested width, or when its probes or its time are used up.",
    )
    is KneeDoubt.ProcessesDisagree -> DoubtWords(
        "$without of $of processes found no knee",
        "Look at the probes of the process that found none.",
        "The interval covers only the processes in which a knee was found.",
    )
    is KneeDoubt.NotSteady -> DoubtWords(
        "$unsteady of $of processes were still getting faster when the search began",
        "Use a longer --warm-up, or run again.",
        "A server that is still getting faster misses a goal early in the search that it would meet later, so the " +
            "knee comes out too low.",
    )
    is KneeDoubt.FewSamples -> DoubtWords(
        "$few of $of probes had too few answers for their percentile",
        "Lengthen the probes with --probe.",
        "A percentile of a handful of answers varies from probe to probe, and so does the knee.",
    )
    is KneeDoubt.StolenTime -> DoubtWords(
        "the hypervisor took more than ${plainPercent(limit)} of the CPU time in $stolen of $of probes",
        "Use a machine that is not shared.",
        "CPU time that other virtual machines use is not available to the target.",
    )
    is KneeDoubt.Agent -> DoubtWords(
        "in $limited of $of probes the load agent was too busy or sent too late, so they say nothing about the target",
        "Use a machine with more cores, or a quieter one.",
        "If requests are sent late, the target does not get the intended load, so the search ignores the probe.",
    )
}
