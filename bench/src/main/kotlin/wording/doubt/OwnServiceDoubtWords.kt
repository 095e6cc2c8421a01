package threadgauge.wording.doubt

import threadgauge.model.SeenPort
import threadgauge.model.doubt.AnswerDifference
import threadgauge.model.doubt.OwnServiceDoubt
import threadgauge.wording.failure.words
import threadgauge.wording.whole

internal fun OwnServiceDoubt.ownServiceWords(): DoubtWords = when (this) {
    is OwnServiceDoubt.SameProcess -> DoubtWords(
        "${stacks.joinToString(" and ")} ran already and was not started anew: its trials are stretches of one " +
            "process, so an interval says less than one over fresh processes" +
            if (here) ", and it was not kept off the load agent's cores" else "",
        "Give a jar or a command in place of the URL.",
        "What differs from process to process, such as the order in which code was compiled, is then missing from " +
            "the interval.",
    )
    is OwnServiceDoubt.NotSeen -> DoubtWords(
        "the process of ${stacks.joinToString(" and ")} could not be seen, " +
            "so its CPU, memory, threads and collections are not known",
        "Give a jar or a command in place of the URL.",
        "Without CPU and memory nobody knows what the speed costs, and no counter shows what else was going on.",
    )
    is OwnServiceDoubt.OtherPort -> DoubtWords(
        "$stack opened none of the ports that it was told to serve, and several others answered: " +
            "${ports.joinToString("; ") { it.words() }}; measured at port $port",
        "Give the port that is meant with --port.",
        "Metrics, management and debugging have ports of their own, and often answer every path.",
    )
    is OwnServiceDoubt.DifferentAnswers -> DoubtWords(
        "$first and $second answered the same request differently: ${difference.words()}",
        "Compare what does the same work, or know that the difference is part of the result.",
        "Who does other work is not faster or slower at the same. Bodies that change by themselves may differ by a " +
            "tenth in length.",
    )
}

private fun SeenPort.words() = "port $port ${fault?.words() ?: "answered correctly"}"

private fun AnswerDifference.words(): String = when (this) {
    is AnswerDifference.Status -> "status $first and $second"
    is AnswerDifference.MediaType -> "content ${first ?: "of no type"} and ${second ?: "of no type"}"
    is AnswerDifference.Content -> "${bodies(firstBytes, secondBytes)} that are not the same"
    is AnswerDifference.Length -> bodies(firstBytes, secondBytes)
}

private fun bodies(first: Long, second: Long) = "bodies of ${whole(first)} and ${whole(second)} bytes"
