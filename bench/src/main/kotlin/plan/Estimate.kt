package threadgauge.plan

import kotlin.time.Duration
import kotlin.time.Duration.Companion.nanoseconds
import kotlin.time.Duration.Companion.seconds
import threadgauge.knee.KneeDurations
import threadgauge.model.Load
import threadgauge.model.Plan
import threadgauge.model.PlannedTrial
import threadgauge.model.lengthNanos
import threadgauge.model.minNanos

/**
 * The remaining time of [trials], those of [plan] that are not done: at first by the plan, then by the durations of
 * trials of the same stack, and for other stacks by the mean ratio of actual to planned durations. Belongs to the
 * thread of the run.
 */
internal class Estimate(private val plan: Plan, private val trials: List<PlannedTrial> = plan.trials) {
    private val done = ArrayList<Pair<PlannedTrial, Duration>>()

    val whole: Duration = CALIBRATION + sum(trials) { planned(it) }

    fun took(planned: PlannedTrial, time: Duration) {
        done += planned to time
    }

    /** From the start of the trial with this [index] among the remaining ones, from 0, to the end of the run. */
    fun left(index: Int): Duration = sum(trials.drop(index)) { expected(it) }

    private fun expected(planned: PlannedTrial): Duration {
        val ofStack = done.filter { (other, _) -> other.stack == planned.stack }
        if (ofStack.isNotEmpty()) return sum(ofStack) { it.second } / ofStack.size
        return if (done.isEmpty()) {
            planned(planned)
        } else {
            planned(planned) * (sum(done) { it.second } / sum(done) { planned(it.first) })
        }
    }

    private fun planned(planned: PlannedTrial): Duration {
        val experiment = plan.experiment
        val loads = plan.knee?.let(KneeDurations::maxNanos) ?: experiment.situations.sumOf { nanosOf(it.load) }
        return start(planned) + (experiment.warmUp.budgetNanos + (experiment.restNanos ?: 0) + loads).nanoseconds
    }

    /**
     * Starting and verifying a server on one core takes 3 to 10 s. A stack with a sale also has a rehearsal, and its
     * services start one after the other.
     */
    private fun start(planned: PlannedTrial): Duration {
        val stack = plan.stacks.firstOrNull { it.name == planned.stack }
        return if (stack != null && stack.sells) START + REHEARSED_START * stack.replicas else START
    }

    private fun <T> sum(all: List<T>, of: (T) -> Duration): Duration =
        all.fold(Duration.ZERO) { sum, one -> sum + of(one) }
}

private fun nanosOf(load: Load) = load.lengthNanos ?: maxOf(UNTIMED_NANOS, load.minNanos)

private val CALIBRATION = 7.seconds
private val START = 8.seconds
private val REHEARSED_START = 14.seconds

/** Duration assumed for a load that ends with its last request; most take some seconds. */
private const val UNTIMED_NANOS = 5_000_000_000L
