package threadgauge.wording.doubt

import threadgauge.model.doubt.RunDoubt
import threadgauge.wording.failure.reason
import threadgauge.wording.percent

internal fun RunDoubt.runWords(): DoubtWords = when (this) {
    RunDoubt.NotPinned -> DoubtWords(
        "server and agent shared the same cores, so each took time from the other",
        "Use a machine with at least two cores, on Linux.",
        "Where two processes share a core, each one's figures hold the other's work.",
    )
    is RunDoubt.BusyMachine -> DoubtWords(
        "something else kept ${percent(share)} of the machine at work just before the run (limit ${percent(limit)})",
        "Close what else is running, and run again.",
        "Of two cores one at most is busy with the coordinator's own start, for a tenth of the time; more is " +
            "somebody else.",
    )
    is RunDoubt.NotComplete -> DoubtWords(
        "the run did not end by itself: ${reason(state, failure) ?: "it was ${state.name.lowercase()}"}",
        "Run again, or carry it on with `run --resume`.",
        "What is missing might have said something else.",
    )
    is RunDoubt.CarriedOn -> DoubtWords(
        "the run was carried on ${if (times == 1) "once" else "$times times"}; $kept trials were measured before",
        "Run it in one go where a small difference matters.",
        "What was measured on another day met another machine: a drift between the parts falls on whole trials, not " +
            "on all stacks alike.",
    )
    RunDoubt.MeasuredCold -> DoubtWords(
        "nothing was warmed up before it was measured, as was asked",
        "Leave out `warm-up: none` to learn the steady speed.",
        "A process that has just started answers many times more slowly than the same one after its compiler has " +
            "done its work.",
    )
    is RunDoubt.Indicative -> DoubtWords(
        "fewer than $needed trials per stack give no interval, so no winner is named",
        "Run without --quick, or with --trials $needed or more.",
        "Two values say next to nothing about how much a third would differ.",
    )
}
