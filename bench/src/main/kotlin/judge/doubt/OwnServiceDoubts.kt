package threadgauge.judge.doubt

import kotlin.math.abs
import threadgauge.model.FirstAnswer
import threadgauge.model.Record
import threadgauge.model.Stack
import threadgauge.model.doubt.AnswerDifference
import threadgauge.model.doubt.DoubtId
import threadgauge.model.doubt.OwnServiceDoubt
import threadgauge.model.request.ServiceUrl
import threadgauge.model.request.isThisMachine

/**
 * Doubts about services of the user's own: services that were running already, processes that cannot be observed, and
 * unequal work.
 */
internal val ownServiceDoubts = listOf(
    RunRule(DoubtId.SAME_PROCESS) { record ->
        val running = record.plan.stacks.filter { it.url != null }
        if (running.isEmpty()) return@RunRule null
        val isHere = running.any { stack -> stack.url?.let(ServiceUrl::of)?.host?.let(::isThisMachine) == true }
        suspect(OwnServiceDoubt.SameProcess(running.map { it.name }, isHere))
    },
    RunRule(DoubtId.NOT_SEEN) { record ->
        val hidden = record.plan.stacks.filter { stack ->
            val samples = record.trials.filter { it.stack == stack.name }.flatMap { it.samples }
            samples.isNotEmpty() && samples.all { it.cost.cpuUserMillis == null }
        }
        if (hidden.isEmpty()) null else suspect(OwnServiceDoubt.NotSeen(hidden.map { it.name }))
    },
    RunRule(DoubtId.OTHER_PORT) { record ->
        val unsure = record.trials.firstOrNull { trial -> trial.ports.size > 1 && trial.ports.none { it.isAssigned } }
        unsure?.ports?.filter { it.fault == null }?.minByOrNull { it.port }
            ?.let { suspect(OwnServiceDoubt.OtherPort(unsure.stack, it.port, unsure.ports)) }
    },
    // Stacks that keep the contract are verified before they are measured. Answers of the others are compared.
    RunRule(DoubtId.DIFFERENT_ANSWERS) { record ->
        val answers = record.plan.stacks.mapNotNull { stack ->
            record.trials.filter { it.stack == stack.name }.firstNotNullOfOrNull { it.firstAnswer }?.let { stack to it }
        }
        val (first, answer) = answers.firstOrNull() ?: return@RunRule null
        val (other, differs) = answers.drop(1)
            .firstNotNullOfOrNull { (stack, its) -> difference(answer, its)?.let { stack to it } }
            ?: return@RunRule null
        suspect(OwnServiceDoubt.DifferentAnswers(first.name, other.name, differs))
    },
    RunRule(DoubtId.CHANGED_ANSWERS) { record ->
        record.plan.stacks.firstNotNullOfOrNull { stack -> changed(record, stack) }?.let(::suspect)
    },
)

/** The first trial of [stack] whose answer is not that of the trial of the lowest number. */
private fun changed(record: Record, stack: Stack): OwnServiceDoubt.ChangedAnswers? {
    val answers = record.trials.filter { it.stack == stack.name }.sortedBy { it.number }
        .mapNotNull { trial -> trial.firstAnswer?.let { trial.number to it } }
    val (first, answer) = answers.firstOrNull() ?: return null
    val (then, differs) = answers.drop(1)
        .firstNotNullOfOrNull { (number, its) -> difference(answer, its)?.let { number to it } } ?: return null
    return OwnServiceDoubt.ChangedAnswers(stack.name, first, then, differs, record.resumed.isNotEmpty())
}

/** Bodies that change from request to request, for example because of a timestamp, are compared by their length. */
private fun difference(a: FirstAnswer, b: FirstAnswer): AnswerDifference? = when {
    a.status != b.status -> AnswerDifference.Status(a.status, b.status)
    mediaType(a) != mediaType(b) -> AnswerDifference.MediaType(mediaType(a), mediaType(b))
    a.stable && b.stable && a.sha256 != b.sha256 -> AnswerDifference.Content(a.bytes, b.bytes)
    abs(a.bytes - b.bytes) > SAME_LENGTH * maxOf(a.bytes, b.bytes) -> AnswerDifference.Length(a.bytes, b.bytes)
    else -> null
}

private fun mediaType(answer: FirstAnswer) = answer.contentType?.substringBefore(';')?.trim()?.lowercase()

/** Tolerance for the length of a body that changes. */
private const val SAME_LENGTH = 0.10
