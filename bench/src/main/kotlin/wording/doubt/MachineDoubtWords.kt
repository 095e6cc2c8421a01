package threadgauge.wording.doubt

import kotlin.math.abs
import threadgauge.model.doubt.MachineDoubt
import threadgauge.wording.percent
import threadgauge.wording.plainPercent
import threadgauge.wording.whole

internal fun MachineDoubt.machineWords(): DoubtWords = when (this) {
    is MachineDoubt.StolenTime -> DoubtWords(
        "the hypervisor took ${percent(share)} of the machine's time (limit ${plainPercent(limit)})",
        "Use a machine that is not shared, or more trials.",
        "2 % of the time is two thirds of the margin below which differences do not count.",
    )
    is MachineDoubt.OtherPrograms -> DoubtWords(
        "other programs kept ${percent(share)} of the machine at work (limit ${plainPercent(limit)})",
        "Close what else is running, and run again.",
        "5 % of the machine is a tenth of a core on two cores: as much as a margin of 3 % and the accuracy of the " +
            "figure, 1 %, allow.",
    )
    is MachineDoubt.ReferenceChanged -> noise(
        "a fixed piece of work took ${percent(abs(change))} ${if (change > 0) "longer" else "less"} " +
            "after the load than before (limit ${plainPercent(limit)})",
    )
    is MachineDoubt.CoreTaken -> noise(
        "others held the target's core for ${percent(share)} of the time just before or after the load " +
            "(limit ${plainPercent(limit)})",
    )
    is MachineDoubt.CoreSpeed -> DoubtWords(
        "the target's core ran at ${whole(megahertzBefore)} MHz before the load and at ${whole(megahertzAfter)} MHz " +
            "after it " +
            "(limit ${plainPercent(limit)} apart)",
        "Have the cores run at one speed: governor performance, power supply plugged in, a cool machine.",
        "A core at another frequency serves at another rate, nearly in proportion; 5 % is beyond any margin that is " +
            "usual.",
    )
    is MachineDoubt.Swapping -> DoubtWords(
        "the machine swapped ${whole(pages)} pages in or out (limit $limit)",
        "Close what needs much memory, or use a machine that has more.",
        "A page from the disk takes milliseconds, a request microseconds: a hundred of them are a pause that " +
            "everybody sees.",
    )
    is MachineDoubt.FileLimit -> DoubtWords(
        "the target had ${whole(open)} of at most ${whole(maxFiles)} files open (limit ${plainPercent(limit)})",
        "Raise the limit of open files for the server: `ulimit -n`.",
        "A server that has no file left for a connection refuses it or waits: then the limit is measured. Logs need " +
            "some, too.",
    )
}

private fun noise(seen: String) = DoubtWords(
    seen,
    "Use a machine that is not shared, close what else is running, or take more trials.",
    "The reference loop needs nothing but the core, so what changes its time changes the server's: 10 % is three " +
        "times the margin.",
)
