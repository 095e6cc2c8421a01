package threadgauge.run

import threadgauge.model.Load
import threadgauge.model.Plan
import threadgauge.model.lengthNanos
import threadgauge.model.meanNanos
import kotlin.time.Duration
import kotlin.time.Duration.Companion.nanoseconds
import kotlin.time.Duration.Companion.seconds

/** How long [toDo] turns of [plan] take: from the plan at first, then from the turns that are done. Belongs to the run's thread. */
internal class Estimate(plan: Plan, private val toDo: Int = plan.turns.size) {
    private val turns = ArrayList<Duration>()

    /** Starting and verifying a server on one core takes 3 to 10 s, and warming up most of its budget. */
    private val perTurnByPlan: Duration = 8.seconds + (plan.experiment.warmUp.budgetNanos + (plan.experiment.restNanos ?: 0)).nanoseconds +
        (plan.knee?.let(KneeSearchRun::mostNanos) ?: plan.experiment.situations.sumOf { nanosOf(it.load) }).nanoseconds

    val whole: Duration = CALIBRATION + perTurnByPlan * toDo

    fun took(turn: Duration) {
        turns += turn
    }

    /** From the start of the turn with this [index] among those to do, counted from 0, to the end of the run. */
    fun left(index: Int): Duration {
        val perTurn = if (turns.isEmpty()) perTurnByPlan else turns.reduce(Duration::plus) / turns.size
        return perTurn * (toDo - index)
    }
}

private fun nanosOf(load: Load) = load.lengthNanos ?: maxOf(UNTIMED_NANOS, leastNanos(load))

/** What its own pauses make a load last at least, on the fastest of servers. */
private fun leastNanos(load: Load): Long = when (load) {
    is Load.Loops -> load.rampInNanos + (load.loops * (load.think?.meanNanos ?: 0.0)).toLong()
    is Load.Users, is Load.Open -> load.lengthNanos ?: 0
}

private val CALIBRATION = 7.seconds

/** A load that ends with its last request: nobody knows; most are done in some seconds. */
private const val UNTIMED_NANOS = 5_000_000_000L
