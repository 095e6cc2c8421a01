package threadgauge.judge

import threadgauge.model.Doubt
import threadgauge.model.FirstAnswer
import threadgauge.model.Record
import threadgauge.model.Stack
import threadgauge.model.Validity
import kotlin.math.abs

/** Doubts about services of the user's own: about those that ran before, those that cannot be seen, and unequal work. */
internal fun ownServiceDoubts(record: Record): List<Doubt> =
    listOfNotNull(sameProcess(record), notSeen(record), unequalAnswers(record))

private fun sameProcess(record: Record): Doubt? {
    val running = record.plan.stacks.filter { it.url != null }
    if (running.isEmpty()) return null
    val isHere = running.any { HERE.containsMatchIn(it.url.orEmpty()) }
    return Doubt(
        "same-process",
        "${list(running)} ran already and was not started anew: its repeats are stretches of one process, so an interval says less " +
            "than one over fresh processes" + if (isHere) ", and it was not kept off the load agent's cores" else "",
        "Give a jar or a command in place of the URL.",
        Validity.SUSPECT,
    )
}

private fun notSeen(record: Record): Doubt? {
    val hidden = record.plan.stacks.filter { stack ->
        val samples = record.repeats.filter { it.stack == stack.name }.flatMap { it.samples }
        samples.isNotEmpty() && samples.all { it.cost.cpuUserMillis == null }
    }
    if (hidden.isEmpty()) return null
    return Doubt(
        "not-seen",
        "the process of ${list(hidden)} could not be seen, so its CPU, memory, threads and collections are not known",
        "Give a jar or a command in place of the URL.",
        Validity.SUSPECT,
    )
}

/** Stacks that keep the contract are checked against it before they are measured; others are compared with each other. */
private fun unequalAnswers(record: Record): Doubt? {
    val answers = record.plan.stacks.mapNotNull { stack ->
        record.repeats.filter { it.stack == stack.name }.firstNotNullOfOrNull { it.firstAnswer }?.let { stack to it }
    }
    val (first, answer) = answers.firstOrNull() ?: return null
    val (other, differs) = answers.drop(1)
        .firstNotNullOfOrNull { (stack, its) -> difference(answer, its)?.let { stack to it } } ?: return null
    return Doubt(
        "unequal-work",
        "${first.name} and ${other.name} answered the same request differently: $differs",
        "Compare what does the same work, or know that the difference is part of the result.",
        Validity.SUSPECT,
    )
}

/** Bodies that change from one request to the next, as with a time in them, are compared by their length alone. */
private fun difference(a: FirstAnswer, b: FirstAnswer): String? = when {
    a.status != b.status -> "status ${a.status} and ${b.status}"
    mediaType(a) != mediaType(b) -> "content ${mediaType(a) ?: "of no type"} and ${mediaType(b) ?: "of no type"}"
    a.stable && b.stable && a.sha256 != b.sha256 -> "${bodies(a, b)} that are not the same"
    abs(a.bytes - b.bytes) > SAME_LENGTH * maxOf(a.bytes, b.bytes) -> bodies(a, b)
    else -> null
}

private fun bodies(a: FirstAnswer, b: FirstAnswer) = "bodies of ${whole(a.bytes.toDouble())} and ${whole(b.bytes.toDouble())} bytes"

private fun mediaType(answer: FirstAnswer) = answer.contentType?.substringBefore(';')?.trim()?.lowercase()

private fun list(stacks: List<Stack>) = stacks.joinToString(" and ") { it.name }

/** The beginning of a URL of this machine. */
private val HERE = Regex("^[a-z]+://(localhost|127\\.|\\[::1])", RegexOption.IGNORE_CASE)

/** A body that changes may be a little longer or shorter each time. */
private const val SAME_LENGTH = 0.10
