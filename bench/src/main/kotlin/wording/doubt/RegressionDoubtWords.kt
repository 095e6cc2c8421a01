package threadgauge.wording.doubt

import threadgauge.model.doubt.MachineName
import threadgauge.model.doubt.RegressionDoubt

internal fun RegressionDoubt.regressionWords(): DoubtWords = when (this) {
    is RegressionDoubt.OtherMachine -> DoubtWords(
        beforeAndNow(base.map { it.words() }, new.map { it.words() }),
        "Measure both sides on the same machine.",
        "Ratios between machines say nothing about the programs that ran on them.",
    )
    is RegressionDoubt.OtherJava -> DoubtWords(
        beforeAndNow(base, new), ONE_CHANGE,
        "The Java that runs a server can change its speed more than the server does.",
    )
    is RegressionDoubt.OtherKernel ->
        DoubtWords(beforeAndNow(base, new), ONE_CHANGE, "System calls are most of what a short request costs.")
    is RegressionDoubt.OtherVersion -> DoubtWords(
        beforeAndNow(base, new), "Measure both sides with the same version.",
        "Another version may measure in another way.",
    )
    is RegressionDoubt.NotInterleaved -> DoubtWords(
        "both sides were measured one after the other, in one run each, so a drift of the machine between them " +
            "looks like a difference",
        "Give $needed or more runs of each, taken in turn, or measure both in one run: `try BASE --against NEW`.",
        "A machine's speed drifts over minutes. Trials within a run do not see it; trials of both in one run share it.",
    )
}

private fun MachineName.words() = "$cpu, $cores cores"

private fun beforeAndNow(base: List<String>, new: List<String>) =
    "${base.joinToString(" and ")} before, ${new.joinToString(" and ")} now"

private const val ONE_CHANGE = "Change one thing at a time."
