package threadgauge.run.measure

import kotlin.time.Duration.Companion.nanoseconds
import threadgauge.model.Situation
import threadgauge.model.WarmUpRule
import threadgauge.model.plan.PlannedTrial
import threadgauge.model.plan.RoundsRule
import threadgauge.model.plan.UnsteadyPart
import threadgauge.model.plan.WarmUp
import threadgauge.model.plan.WarmUpEnd
import threadgauge.model.plan.WarmUpIteration
import threadgauge.plan.leadInNanos
import threadgauge.probe.JvmProbe
import threadgauge.run.RunContext
import threadgauge.run.RunEvent
import threadgauge.target.CompilerThreads

/** The time that all processes of a block together may take to warm up. Belongs to the run's thread. */
internal class WarmUpBudget(val nanos: Long) {
    private var keptNanos = 0L
    var spentNanos = 0L
        private set

    /** Counts time that was used. */
    fun spend(nanos: Long) {
        spentNanos += nanos
    }

    /** Reserves time for the end: no new cycle may begin in it. */
    fun keep(nanos: Long) {
        keptNanos += nanos
    }

    /** True if [nanos] fit into what is neither spent nor reserved. */
    fun allows(nanos: Long) = spentNanos + nanos <= this.nanos - keptNanos
}

/**
 * Brings a fresh process to its steady speed in cycles. A [cycle] puts an iteration of load on every situation in turn.
 * Between two cycles the compiler catches up, while other processes are loaded or in a [pause]: under continuous load
 * on few cores it never catches up, which can reverse a ranking. Steady means that the rates of all situations are
 * flat, that the compiler has almost nothing left to do, and that the compiled code no longer grows (decision 0015).
 *
 * Belongs to the run's thread.
 */
internal class WarmUpRunner(
    private val context: RunContext,
    private val measuring: LoadMeasurement,
    private val jvm: JvmProbe?,
    private val compiler: CompilerThreads,
    private val planned: PlannedTrial,
    all: List<Situation>,
    private val budget: WarmUpBudget,
) {
    private val rule: WarmUpRule = context.plan.experiment.warmUp
    private val situations = all.filter { rule.situations.isEmpty() || it.name in rule.situations }
    private val iterations = ArrayList<WarmUpIteration>()
    private val typicalNanos = HashMap<String, Long>()
    private var compiledMillis = jvm?.compileMillis() ?: 0.0

    /** Time of this process alone: its loads and pauses, without those of the others. */
    private var spentNanos = 0L
    private var cycles = 0

    private var ended: Pair<WarmUpEnd, List<UnsteadyPart>>? = null

    /** True until the process is steady, or the budget is spent. */
    val goesOn: Boolean get() = ended == null

    /** Null while it [goesOn]. */
    val result: WarmUp?
        get() = ended?.let { (why, unsteady) ->
            WarmUp(iterations, why == WarmUpEnd.STEADY, spentNanos / 1e6, why, unsteady)
        }

    init {
        if (rule.isNone) end(WarmUpEnd.NONE_ASKED)
    }

    /** Median service time in the last iteration of [situation], in nanoseconds; 0 if there was none. */
    fun typicalNanos(situation: String): Long = typicalNanos[situation] ?: 0

    /** Only while [goesOn]. */
    fun cycle() {
        cycles++
        if (rule.compilerOnAllCores) compiler.free()
        situations.forEach { iteration(it) }
    }

    /**
     * To be called after each [cycle] and its pause: ends the warm-up if the process is steady, or no further cycle
     * fits into the budget.
     */
    fun judge() {
        val unsteady = unsteadyPartsIn(iterations, rule.loadNanos)
        when {
            unsteady.isEmpty() -> end(WarmUpEnd.STEADY)
            !budget.allows(cycleNanos) -> end(WarmUpEnd.BUDGET_USED, unsteady)
        }
    }

    /**
     * One more cycle under the conditions of measuring, after the last [cycle] of all processes and before anything is
     * measured. The compiler threads are back on the target's cores, and the process was idle while the others were
     * loaded; without this cycle the first slices would pay for both. Does nothing if compiler threads were never
     * moved.
     */
    fun settle() {
        if (settlingNanos > 0) situations.forEach { iteration(it) }
    }

    /** Time to reserve for [settle]. */
    val settlingNanos: Long get() = if (rule.compilerOnAllCores && !rule.isNone) situations.size * rule.loadNanos else 0

    private val cycleNanos get() = situations.size * rule.loadNanos + rule.pauseNanos

    private fun iteration(situation: Situation) {
        context.cancellation.check()
        val atMillis = spentNanos / 1e6
        val warm = spending {
            measuring.awaitQuiescence(planned, situation)
            val leadIn = if (situation.isEndless) 0 else leadInNanos(typicalNanos(situation.name))
            measuring.warm(planned, situation, rule.loadNanos, leadIn)
        }
        typicalNanos[situation.name] = (warm.p50Micros * 1e3).toLong()
        iterations += WarmUpIteration(
            cycles, situation.name, atMillis, warm.perSecond, newlyCompiledMillis(), jvm?.codeCacheBytes(),
        )
        context.tell(RunEvent.WarmedUp(
            planned, iterations.last(), budget.spentNanos.nanoseconds, budget.nanos.nanoseconds,
        ))
    }

    /**
     * The same as in a slice, so that the rates of both can be compared. None if it would take more than half of the
     * iteration.
     */
    private fun leadInNanos(typicalNanos: Long) =
        leadInNanos(RoundsRule(), typicalNanos).takeIf { it <= rule.loadNanos / 2 } ?: 0

    /** Ends early once the compiler has been quiet for [QUIET_NANOS]. */
    fun pause() = spending {
        val endNanos = System.nanoTime() + rule.pauseNanos
        var quietSince = System.nanoTime()
        var compiled = jvm?.compileMillis()
        while (System.nanoTime() < endNanos) {
            Thread.sleep(LOOK_MILLIS)
            val now = jvm?.compileMillis()
            if (now == null || now != compiled) quietSince = System.nanoTime()
            if (System.nanoTime() - quietSince >= QUIET_NANOS) return@spending
            compiled = now
        }
    }

    private fun <T> spending(work: () -> T): T {
        val startNanos = System.nanoTime()
        return work().also {
            val took = System.nanoTime() - startNanos
            spentNanos += took
            budget.spend(took)
        }
    }

    private fun newlyCompiledMillis(): Double {
        val now = jvm?.compileMillis() ?: return 0.0
        return (now - compiledMillis).also { compiledMillis = now }
    }

    private fun end(why: WarmUpEnd, unsteady: List<UnsteadyPart> = emptyList()) {
        compiler.bringHome()
        ended = why to unsteady
    }
}

private const val LOOK_MILLIS = 50L
private const val QUIET_NANOS = 200_000_000L
