package threadgauge.plan

import kotlin.time.Duration
import kotlin.time.Duration.Companion.nanoseconds
import kotlin.time.Duration.Companion.seconds
import threadgauge.knee.KneeDurations
import threadgauge.model.Load
import threadgauge.model.lengthNanos
import threadgauge.model.minNanos
import threadgauge.model.plan.Plan
import threadgauge.model.plan.PlannedTrial
import threadgauge.model.plan.TypicalCost

/**
 * The remaining time of [trials], those of [plan] that are not done: at first by the plan, then by the durations of
 * blocks of the same stacks, and for others by the mean ratio of actual to planned durations. Belongs to the thread of
 * the run.
 */
internal class Estimate(private val plan: Plan, trials: List<PlannedTrial> = plan.trials) {
    private val done = ArrayList<Pair<List<PlannedTrial>, Duration>>()
    private val remaining = plan.blocksOf(trials).toMutableList()

    val whole: Duration = CALIBRATION + sum(trials) { planned(it) + profiles(it) }

    /** From the start of the first block that is not done to the end of the run. */
    val left: Duration get() = sum(remaining) { block -> expected(block) + sum(block) { profiles(it) } }

    /** [block] took [time], of which [profiled] was for profiles, which later blocks do not have. */
    fun took(block: List<PlannedTrial>, time: Duration, profiled: Duration = Duration.ZERO) {
        done += block to time - profiled
        remaining -= block
    }

    private fun expected(block: List<PlannedTrial>): Duration {
        val stacks = block.mapTo(HashSet()) { it.stack }
        val alike = done.filter { (other, _) -> other.mapTo(HashSet()) { it.stack } == stacks }
        if (alike.isNotEmpty()) return sum(alike) { it.second } / alike.size
        val planned = sum(block) { planned(it) }
        return if (done.isEmpty()) planned else planned * (sum(done) { it.second } / plannedOfDone())
    }

    /** What a trial of the first block also takes. */
    private fun profiles(planned: PlannedTrial): Duration {
        val stack = plan.stacks.firstOrNull { it.name == planned.stack }
        if (!plan.hasProfiles(planned) || stack?.sells == true) return Duration.ZERO
        val loads = plan.experiment.situations.filter { it.name in planned.situations }.map { it.load }
        val profiles = loads.fold(emptyList<ProfileLoad>()) { before, load ->
            before + listOfNotNull(load.lengthNanos?.let { profileLoad(load, it, isFirst = before.isEmpty()) })
        }
        val rehearsal = if (plan.rehearsesProfiles(planned)) REHEARSAL else Duration.ZERO
        return rehearsal + sum(profiles) { it.wholeNanos.nanoseconds }
    }

    private fun plannedOfDone() = sum(done) { (block, _) -> sum(block) { planned(it) } }

    private fun planned(planned: PlannedTrial): Duration {
        val experiment = plan.experiment
        val loads = plan.knee?.let(KneeDurations::maxNanos) ?: experiment.situations.sumOf { nanosOf(it.load) }
        // Starts and warm-ups are part of its time, which is that of all together.
        plan.map?.let { return (it.budgetNanos / plan.stacks.size).nanoseconds }
        val whole = experiment.warmUp.budgetNanos + (experiment.restNanos ?: 0) + loads
        return start(planned) + whole.nanoseconds + beforeSlices()
    }

    /** What slices take before they count: lead-ins, of requests that are answered at once, and starting the load. */
    private fun beforeSlices(): Duration {
        val rule = plan.rounds ?: return Duration.ZERO
        return sum(plan.experiment.situations) { situation ->
            val cut = slicingsOf(situation, rule, listOf(0)).single()
            (cut.leadInNanos.nanoseconds + TypicalCost.SLICE_OVERHEAD_SECONDS.seconds) * cut.parts
        }
    }

    /**
     * A stack with a sale also has a rehearsal, and its services start one after the other.
     */
    private fun start(planned: PlannedTrial): Duration {
        val stack = plan.stacks.firstOrNull { it.name == planned.stack }
        return if (stack != null && stack.sells) START + REHEARSED_START * stack.replicas else START
    }

    private fun <T> sum(all: List<T>, of: (T) -> Duration): Duration =
        all.fold(Duration.ZERO) { sum, one -> sum + of(one) }
}

private fun nanosOf(load: Load) = load.lengthNanos ?: maxOf(UNTIMED_NANOS, load.minNanos)

private val CALIBRATION = TypicalCost.CALIBRATION_SECONDS.seconds
private val START = TypicalCost.START_SECONDS.seconds
private val REHEARSAL = TypicalCost.REHEARSAL_SECONDS.seconds
private val REHEARSED_START = 14.seconds

/** Duration assumed for a load that ends with its last request; most take some seconds. */
private const val UNTIMED_NANOS = 5_000_000_000L
