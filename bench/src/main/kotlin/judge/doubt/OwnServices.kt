package threadgauge.judge.doubt

import kotlin.math.abs
import threadgauge.model.FirstAnswer
import threadgauge.model.Stack
import threadgauge.wording.whole

/** Doubts about services of the user's own: about those that ran before, those that cannot be seen, and unequal work. */
internal val ownServiceDoubts = listOf(
    RunRule(
        "same-process",
        "What differs from process to process, such as the order in which code was compiled, is then missing from the interval.",
        "Give a jar or a command in place of the URL.",
    ) { record ->
        val running = record.plan.stacks.filter { it.url != null }
        if (running.isEmpty()) return@RunRule null
        val isHere = running.any { HERE.containsMatchIn(it.url.orEmpty()) }
        suspect(
            "${list(running)} ran already and was not started anew: its trials are stretches of one process, so an interval says less " +
                "than one over fresh processes" + if (isHere) ", and it was not kept off the load agent's cores" else "",
        )
    },
    RunRule(
        "not-seen",
        "Without CPU and memory nobody knows what the speed costs, and no counter shows what else was going on.",
        "Give a jar or a command in place of the URL.",
    ) { record ->
        val hidden = record.plan.stacks.filter { stack ->
            val samples = record.trials.filter { it.stack == stack.name }.flatMap { it.samples }
            samples.isNotEmpty() && samples.all { it.cost.cpuUserMillis == null }
        }
        if (hidden.isEmpty()) return@RunRule null
        suspect("the process of ${list(hidden)} could not be seen, so its CPU, memory, threads and collections are not known")
    },
    // Stacks that keep the contract are checked against it before they are measured; others are compared with each other.
    RunRule(
        "different-answers",
        "Who does other work is not faster or slower at the same. Bodies that change by themselves may differ by a tenth in length.",
        "Compare what does the same work, or know that the difference is part of the result.",
    ) { record ->
        val answers = record.plan.stacks.mapNotNull { stack ->
            record.trials.filter { it.stack == stack.name }.firstNotNullOfOrNull { it.firstAnswer }?.let { stack to it }
        }
        val (first, answer) = answers.firstOrNull() ?: return@RunRule null
        val (other, differs) = answers.drop(1)
            .firstNotNullOfOrNull { (stack, its) -> difference(answer, its)?.let { stack to it } } ?: return@RunRule null
        suspect("${first.name} and ${other.name} answered the same request differently: $differs")
    },
)

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
