package threadgauge.wording.doubt

import kotlin.math.abs
import threadgauge.model.doubt.MachineDoubt
import threadgauge.wording.percent
import threadgauge.wording.plainPercent
import threadgauge.wording.whole

internal fun MachineDoubt.machineWords(): DoubtWords = when (this) {
    is MachineDoubt.StolenTime -> DoubtWords(
        "the hypervisor took ${percent(share)} of the CPU time (limit ${plainPercent(limit)})",
        "Use a machine that is not shared, or more trials.",
        "2 % of the time is two thirds of the default margin for differences, 3 %.",
    )
    is MachineDoubt.OtherPrograms -> DoubtWords(
        "other programs used ${percent(share)} of the CPU time (limit ${plainPercent(limit)})",
        "Close other programs, and run again.",
        "On two cores, 5 % is a tenth of a core: all that a margin of 3 % and an accuracy of 1 % allow.",
    )
    is MachineDoubt.ReferenceChanged -> noise(
        "the reference loop took ${percent(abs(change))} ${if (change > 0) "longer" else "less"} " +
            "after the load than before it (limit ${plainPercent(limit)})",
    )
    is MachineDoubt.CoreTaken -> noise(
        "other programs used the target's core for ${percent(share)} of the time just before or after the load " +
            "(limit ${plainPercent(limit)})",
    )
    is MachineDoubt.CoreSpeed -> DoubtWords(
        "the target's core ran at ${whole(megahertzBefore)} MHz before the load and at ${whole(megahertzAfter)} MHz " +
            "after it (limit ${plainPercent(limit)} apart)",
        "Keep the clock speed constant: governor performance, power supply plugged in, a cool machine.",
        "Throughput is nearly proportional to the clock speed, and 5 % is more than any usual margin.",
    )
    is MachineDoubt.Swapping -> DoubtWords(
        "the machine swapped ${whole(pages)} pages in or out (limit $limit)",
        "Close programs that use much memory, or use a machine that has more.",
        "Reading a page from disk takes milliseconds, a request microseconds. A hundred pages are a visible pause.",
    )
    is MachineDoubt.FileLimit -> DoubtWords(
        "the target had ${whole(open)} files open, of ${whole(maxFiles)} allowed (limit ${plainPercent(limit)})",
        "Raise the limit of open files for the server: `ulimit -n`.",
        "Each connection takes one open file. Without a free one the server rejects connections or waits, and the " +
            "figures show the limit. Logs need some files, too.",
    )
}

private fun noise(seen: String) = DoubtWords(
    seen,
    "Use a machine that is not shared, close other programs, or use more trials.",
    "The reference loop is a fixed piece of work that needs only the core. What changes its time changes the " +
        "server's, too, and 10 % is three times the default margin.",
)
