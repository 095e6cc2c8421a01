package threadgauge.plan

import java.util.Random
import threadgauge.model.Experiment
import threadgauge.model.Load
import threadgauge.model.notation
import threadgauge.model.plan.KneeQuestion
import threadgauge.model.plan.Plan
import threadgauge.model.plan.PlannedTrial

/**
 * A search for the knee of each target of [tried], with its request and connections: a trial for each of [trials] fresh
 * processes, with a warm-up under a closed load of [WARM_UP_USERS]. Several targets are searched side by side, those of
 * a block in an order drawn by the seed of [tried].
 */
internal fun planKnee(question: KneeQuestion, tried: Plan, trials: Int): Plan {
    val stacks = tried.stacks
    val situation = tried.experiment.situations.single().copy(
        name = KNEE, words = "come faster and faster", load = Load.Users(WARM_UP_USERS, question.probeNanos),
    )
    val experiment = Experiment(
        name = "knee-${stacks.joinToString("-vs-") { it.name }}".take(MAX_LENGTH).trimEnd('-'),
        question = kneeQuestion(stacks.map { it.title }, question.slo.notation()),
        stacks = stacks.map { it.name },
        situations = listOf(situation),
        trials = trials,
        warmUp = tried.experiment.warmUp,
    )
    val random = Random(mixed(tried.seed))
    val planned = (1..trials).flatMap { trial ->
        stacks.map { it.name }.shuffled(random).map { PlannedTrial(it, trial, listOf(KNEE)) }
    }
    return Plan(experiment, stacks, planned, tried.seed, quick = false, knee = question)
}

private fun kneeQuestion(titles: List<String>, slo: String): String = when (titles.size) {
    1 -> "Up to which rate does ${titles.single()} meet $slo?"
    2 -> "Which meets $slo up to the higher rate: ${titles.first()} or ${titles.last()}?"
    else -> "Which meets $slo up to the highest rate: ${titles.dropLast(1).joinToString(", ")} or ${titles.last()}?"
}

private const val KNEE = "knee"
private const val MAX_LENGTH = 60

/** Enough to saturate a few cores, and few enough not to be a special load. */
private const val WARM_UP_USERS = 16
