package threadgauge.experiment

import threadgauge.model.Connections
import threadgauge.model.Experiment
import threadgauge.model.Load
import threadgauge.model.Plan
import threadgauge.model.Situation
import threadgauge.model.Stack
import threadgauge.model.Turn
import threadgauge.model.words

/** A search for the knee of [stack]: one turn for each fresh process, which warms up under a closed load of [WARM_UP_USERS]. */
fun planKnee(order: KneeOrder, stack: Stack, connections: Connections = Connections()): Plan {
    val load = Load.Users(WARM_UP_USERS, order.question.probeNanos)
    val situation = Situation(KNEE, "come faster and faster", order.request, load, connections)
    val experiment = Experiment(
        name = "knee-${stack.name}".take(LONGEST).trimEnd('-'),
        question = "Up to which rate does ${stack.title} keep ${order.question.slo.words()}?",
        stacks = listOf(stack.name),
        situations = listOf(situation),
        repeats = order.repeats,
    )
    val turns = (1..order.repeats).map { Turn(stack.name, it, listOf(KNEE)) }
    return Plan(experiment, listOf(stack), turns, seed = 1, quick = false, knee = order.question)
}

private const val KNEE = "knee"
private const val LONGEST = 60

/** Enough to keep a few cores busy, and few enough not to be a load of its own kind. */
private const val WARM_UP_USERS = 16
