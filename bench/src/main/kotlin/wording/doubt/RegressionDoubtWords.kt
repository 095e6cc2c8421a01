package threadgauge.wording.doubt

import threadgauge.model.doubt.MachineName
import threadgauge.model.doubt.RegressionDoubt
import threadgauge.wording.counted

internal fun RegressionDoubt.regressionWords(): DoubtWords = when (this) {
    is RegressionDoubt.OtherMachine -> DoubtWords(
        beforeAndNow(base.map { it.words() }, new.map { it.words() }),
        "Measure both sides on the same machine.",
        "A ratio between two machines says nothing about the programs.",
    )
    is RegressionDoubt.OtherJava -> DoubtWords(
        beforeAndNow(base, new), ONE_CHANGE,
        "Another Java version can change throughput more than a change of the server.",
    )
    is RegressionDoubt.OtherKernel ->
        DoubtWords(beforeAndNow(base, new), ONE_CHANGE, "System calls are most of the cost of a short request.")
    is RegressionDoubt.OtherCores -> DoubtWords(
        "idle cores ${beforeAndNow(base.map(::awake), new.map(::awake))}",
        "Measure both sides as the same user and with the same version: keeping cores awake needs write access to " +
            "/dev/cpu_dma_latency.",
        "A client that wakes up late is part of a server's figures: ratios of servers differ by up to a quarter.",
    )
    is RegressionDoubt.OtherVersion -> DoubtWords(
        beforeAndNow(base, new), "Measure both sides with the same version.",
        "Another version may measure differently.",
    )
    is RegressionDoubt.NotInterleaved -> DoubtWords(
        "both sides were measured one after the other, in one run each, so a drift of the machine between the runs " +
            "looks like a difference",
        "Use $needed or more runs of each side, alternating, or measure both in one run: `try BASE --against NEW`.",
        "A machine's speed drifts over minutes. In one run, the trials of both sides share the drift.",
    )
}

private fun MachineName.words() = "$cpu, ${counted(cores.toLong(), "core")}"

private fun awake(kept: Boolean) = if (kept) "kept awake" else "allowed to sleep"

private fun beforeAndNow(base: List<String>, new: List<String>) =
    "${base.joinToString(" and ")} before, ${new.joinToString(" and ")} now"

private const val ONE_CHANGE = "Change one thing at a time."
