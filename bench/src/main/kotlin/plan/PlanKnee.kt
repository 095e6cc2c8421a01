package threadgauge.plan

import threadgauge.experiment.yaml.words
import threadgauge.model.Experiment
import threadgauge.model.KneeQuestion
import threadgauge.model.Load
import threadgauge.model.Plan
import threadgauge.model.PlannedTrial
import threadgauge.model.notation

/**
 * A search for the knee of the target of [tried], with its request and connections: a trial for each of [trials] fresh
 * processes, with a warm-up under a closed load of [WARM_UP_USERS].
 */
internal fun planKnee(question: KneeQuestion, tried: Plan, trials: Int): Plan {
    val stack = tried.stacks.single()
    val situation = tried.experiment.situations.single().copy(
        name = KNEE, words = "come faster and faster", load = Load.Users(WARM_UP_USERS, question.probeNanos),
    )
    val experiment = Experiment(
        name = "knee-${stack.name}".take(MAX_LENGTH).trimEnd('-'),
        question = "Up to which rate does ${stack.title} meet ${question.slo.notation()}?",
        stacks = listOf(stack.name),
        situations = listOf(situation),
        trials = trials,
        warmUp = tried.experiment.warmUp,
    )
    val trials = (1..trials).map { PlannedTrial(stack.name, it, listOf(KNEE)) }
    return Plan(experiment, listOf(stack), trials, seed = 1, quick = false, knee = question)
}

private const val KNEE = "knee"
private const val MAX_LENGTH = 60

/** Enough to saturate a few cores, and few enough not to be a special load. */
private const val WARM_UP_USERS = 16
