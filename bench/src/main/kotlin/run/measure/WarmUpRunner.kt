package threadgauge.run.measure

import kotlin.time.Duration.Companion.nanoseconds
import threadgauge.model.PlannedTrial
import threadgauge.model.Situation
import threadgauge.model.UnsteadyPart
import threadgauge.model.WarmUp
import threadgauge.model.WarmUpEnd
import threadgauge.model.WarmUpIteration
import threadgauge.probe.JvmProbe
import threadgauge.run.RunContext
import threadgauge.run.RunEvent
import threadgauge.target.CompilerThreads

/**
 * Brings a fresh process to its steady speed in cycles of load and pause. A cycle puts an iteration of load on every
 * situation in turn, then waits for the compiler: continuous load on few cores keeps the compiler from ever catching
 * up, and can reverse a ranking. Steady means that the rates of all situations are flat, that the compiler has next to
 * nothing left to do, and that the compiled code no longer grows.
 */
internal class WarmUpRunner(
    private val context: RunContext,
    private val measuring: LoadMeasurement,
    private val jvm: JvmProbe?,
    private val compiler: CompilerThreads,
) {
    private val rule = context.plan.experiment.warmUp
    private val startNanos = System.nanoTime()
    private val iterations = ArrayList<WarmUpIteration>()
    private var compiledMillis = jvm?.compileMillis() ?: 0.0

    fun run(planned: PlannedTrial, all: List<Situation>): WarmUp {
        if (rule.isNone) return end(WarmUpEnd.NONE_ASKED)
        val situations = all.filter { rule.situations.isEmpty() || it.name in rule.situations }
        var cycle = 0
        while (true) {
            cycle++
            if (rule.compilerOnAllCores) compiler.free()
            situations.forEach { iteration(planned, it, cycle) }
            pause()
            val unsteady = unsteadyPartsIn(iterations, rule.loadNanos)
            if (unsteady.isEmpty()) return end(WarmUpEnd.STEADY)
            if (spentNanos() + cycleNanos(situations.size) > rule.budgetNanos) {
                return end(WarmUpEnd.BUDGET_USED, unsteady)
            }
        }
    }

    private fun iteration(planned: PlannedTrial, situation: Situation, cycle: Int) {
        context.cancellation.check()
        measuring.awaitQuiescence(planned, situation)
        val atMillis = spentNanos() / 1e6
        val perSecond = measuring.warm(situation, rule.loadNanos)
        iterations += WarmUpIteration(
            cycle, situation.name, atMillis, perSecond, newlyCompiledMillis(), jvm?.codeCacheBytes(),
        )
        context.tell(
            RunEvent.WarmedUp(planned, iterations.last(), spentNanos().nanoseconds, rule.budgetNanos.nanoseconds),
        )
    }

    /** Ends before its time once the compiler has been quiet for a while. */
    private fun pause() {
        val endNanos = System.nanoTime() + rule.pauseNanos
        var quietSince = System.nanoTime()
        var compiled = jvm?.compileMillis()
        while (System.nanoTime() < endNanos) {
            Thread.sleep(LOOK_MILLIS)
            val now = jvm?.compileMillis()
            if (now == null || now != compiled) quietSince = System.nanoTime()
            if (System.nanoTime() - quietSince >= QUIET_NANOS) return
            compiled = now
        }
    }

    private fun newlyCompiledMillis(): Double {
        val now = jvm?.compileMillis() ?: return 0.0
        return (now - compiledMillis).also { compiledMillis = now }
    }

    private fun end(why: WarmUpEnd, unsteady: List<UnsteadyPart> = emptyList()): WarmUp {
        compiler.bringHome()
        return WarmUp(iterations, why == WarmUpEnd.STEADY, spentNanos() / 1e6, why, unsteady)
    }

    private fun spentNanos() = System.nanoTime() - startNanos

    private fun cycleNanos(situations: Int) = situations * rule.loadNanos + rule.pauseNanos
}

private const val LOOK_MILLIS = 50L
private const val QUIET_NANOS = 200_000_000L
