package threadgauge.wording.doubt

import threadgauge.model.doubt.RunDoubt
import threadgauge.wording.counted
import threadgauge.wording.failure.reason
import threadgauge.wording.percent
import threadgauge.wording.remedy
import threadgauge.wording.seconds
import threadgauge.wording.seen

internal fun RunDoubt.runWords(): DoubtWords = when (this) {
    RunDoubt.NotPinned -> DoubtWords(
        "target and load agent shared the same cores, so each took CPU time from the other",
        "Use a machine with at least two cores, on Linux.",
        "On a shared core, the figures of one process include work of the other.",
    )
    is RunDoubt.BusyMachine -> DoubtWords(
        "other programs used ${percent(share)} of the CPU time just before the run (limit ${percent(limit)})",
        "Close other programs, and run again.",
        "On two cores, Threadgauge's own start takes at most one of them for a tenth of the time. More than that is " +
            "another program.",
    )
    is RunDoubt.NotComplete -> DoubtWords(
        "the run is not complete: ${reason(state, failure) ?: "it was ${state.name.lowercase()}"}",
        "Run again, or resume it with `run --resume`.",
        "The missing trials might change the result.",
    )
    is RunDoubt.CarriedOn -> DoubtWords(
        "the run was resumed ${if (times == 1) "once" else "$times times"}; " +
            "${if (kept == 1) "1 trial was" else "$kept trials were"} measured before",
        "If small differences matter, run without an interruption.",
        "The machine may have changed between the parts. Such a change affects some trials, and not all stacks alike.",
    )
    is RunDoubt.InTurns -> DoubtWords(
        why.seen,
        why.remedy,
        "What the machine does for seconds or minutes cancels out only between stacks that are measured in one round.",
    )
    is RunDoubt.Paused -> DoubtWords(
        "the run stood still in ${counted(times.toLong(), "measurement")}, for ${seconds(longestMillis)} at most, " +
            "because the machine slept or Threadgauge was stopped; what was measured then was thrown out and " +
            "measured anew" + if (kept == 0) "" else ", but for ${counted(kept.toLong(), "measurement")}",
        "Keep the machine from sleeping: start with systemd-inhibit (Linux) or caffeinate -i (macOS) in front.",
        "In such a measurement counters are read too late, and servers that rested for long are slower at first.",
    )
    RunDoubt.MeasuredCold -> DoubtWords(
        "the warm-up is disabled, so all figures are those of a cold server",
        "For the speed of a warm server, remove `warm-up: none`.",
        "A process that has just started is many times slower than after its code has been compiled.",
    )
    is RunDoubt.Indicative -> DoubtWords(
        "fewer than $needed trials per stack, so there are no intervals and no winner",
        if (minutes == null) "Run without --quick, or with --trials $needed or more."
        else "The time was too short for $needed blocks: give --budget ${minutes}m or more.",
        "Two values say next to nothing about how much values vary.",
    )
}
