package threadgauge.wording.verdict

import threadgauge.model.judgement.LoadRange
import threadgauge.model.judgement.LoadStep
import threadgauge.model.judgement.LoadUnit
import threadgauge.model.judgement.StepOutcome
import threadgauge.wording.whole

/** One or two sentences: which stacks lead under which loads, and between which loads the verdict changes. */
internal val LoadRange.words: String
    get() {
        val spans = spans()
        val parts = spans.joinToString("; ") { "${span(it)} ${steps[it.first].meaning()}" }
        val words = when {
            spans.size == 1 ->
                "the verdict is the same from ${steps.first().load} to ${steps.last().load}: ${steps.first().meaning()}"
            turns.isEmpty() -> parts
            else ->
                "$parts. The verdict changes " +
                    turns.joinToString(", ") { "between ${steps[it - 1].load} and ${steps[it].load}" }
        }
        return "For $method $path, $words."
    }

/** The load of a step: "200 users", "1,000 at once", "500/s". */
internal val LoadStep.load: String
    get() = when (unit) {
        LoadUnit.USERS -> if (whole(amount) == "1") "1 user" else "${whole(amount)} users"
        LoadUnit.REQUESTS_AT_ONCE -> "${whole(amount)} at once"
        LoadUnit.REQUESTS_PER_SECOND -> "${whole(amount)}/s"
    }

/** Index ranges of neighbouring steps with the same verdict. */
private fun LoadRange.spans(): List<IntRange> {
    val starts = steps.indices.filter { it == 0 || !steps[it].saysTheSameAs(steps[it - 1]) }
    return starts.mapIndexed { index, start -> start..<starts.getOrElse(index + 1) { steps.size } }
}

private fun LoadRange.span(at: IntRange) =
    if (at.first == at.last) "at ${steps[at.first].load}" else "from ${steps[at.first].load} to ${steps[at.last].load}"

private fun LoadStep.meaning(): String {
    val names = leaders.sorted().joinToString(" and ")
    return when (outcome) {
        StepOutcome.HIGHEST_THROUGHPUT -> "$names ${verb(leaders, "has", "have")} the highest throughput"
        StepOutcome.LOWEST_LATENCY -> "$names ${verb(leaders, "has", "have")} the lowest p99 latency"
        StepOutcome.NO_DIFFERENCE -> "there is no difference"
        StepOutcome.SETTING_DECIDES -> "a limit sets the result"
        StepOutcome.CANNOT_TELL -> "the run cannot tell"
        StepOutcome.TOO_FEW_TRIALS -> "there are too few trials to tell"
    }
}
