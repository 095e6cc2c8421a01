package threadgauge.wording.doubt

import threadgauge.model.doubt.AnswerDifference
import threadgauge.model.doubt.OwnServiceDoubt
import threadgauge.wording.failure.words
import threadgauge.wording.whole

internal fun OwnServiceDoubt.ownServiceWords(): DoubtWords = when (this) {
    is OwnServiceDoubt.SameProcess -> DoubtWords(
        "${stacks.joinToString(" and ")} ran already: all trials are of the same process, so the interval does not " +
            "include differences between processes" +
            if (here) ", and the service was not kept off the load agent's cores" else "",
        "Use a jar or a command instead of a URL.",
        "Fresh processes differ, for example by the order in which code is compiled.",
    )
    is OwnServiceDoubt.NotSeen -> DoubtWords(
        "the process of ${stacks.joinToString(" and ")} could not be observed, " +
            "so its CPU, memory, threads and garbage collections are unknown",
        "Use a jar or a command instead of a URL.",
        "Without CPU and memory the cost of the throughput is unknown, and other causes cannot be seen.",
    )
    is OwnServiceDoubt.OtherPort -> DoubtWords(
        "$stack opened none of the ports that were assigned to it, and several others answered: " +
            "${ports.joinToString("; ") { it.words() }}; measured at port $port",
        "Choose the port with --port.",
        "Ports for metrics, management and debugging often answer every path.",
    )
    is OwnServiceDoubt.DifferentAnswers -> DoubtWords(
        "$first and $second answered the same request differently: ${difference.words()}",
        "Compare services that do the same work, or accept that the difference is part of the result.",
        "Throughput of different work cannot be compared. Bodies that change with every request may differ by a " +
            "tenth in length.",
    )
    is OwnServiceDoubt.ChangedAnswers -> DoubtWords(
        "$stack answered the same request differently in trial $first and in trial $then: ${difference.words()}" +
            if (isResumed) "; the run was resumed" else "",
        "Run anew, against a service and data that stay as they are.",
        "Trials are compared as trials of the same work. Bodies that change with every request may differ by a tenth " +
            "in length.",
    )
}

internal fun AnswerDifference.words(): String = when (this) {
    is AnswerDifference.Status -> "status $first and $second"
    is AnswerDifference.MediaType -> "content type ${first ?: "none"} and ${second ?: "none"}"
    is AnswerDifference.Content -> "${bodies(firstBytes, secondBytes)} with different content"
    is AnswerDifference.Length -> bodies(firstBytes, secondBytes)
}

private fun bodies(first: Long, second: Long) = "bodies of ${whole(first)} and ${whole(second)} bytes"
