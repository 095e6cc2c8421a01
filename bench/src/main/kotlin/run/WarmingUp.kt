package threadgauge.run

import threadgauge.model.Situation
import threadgauge.model.Turn
import threadgauge.model.WarmUp
import threadgauge.model.WarmUpRule
import threadgauge.model.WarmUpStretch
import threadgauge.probe.JvmProbe
import threadgauge.stats.isFlat
import threadgauge.target.CompilerThreads
import kotlin.time.Duration.Companion.nanoseconds

/**
 * Brings a fresh process to its steady speed in cycles of load and pause. A cycle puts a stretch of load on every
 * situation in turn, then waits for the compiler: continuous load on few cores keeps the compiler from ever catching
 * up, and can reverse a ranking. Steady means that the rates of all situations are flat and the compiler has next to
 * nothing left to do.
 */
internal class WarmingUp(
    private val rule: WarmUpRule,
    private val measuring: Measuring,
    private val jvm: JvmProbe?,
    private val compiler: CompilerThreads,
    private val cancellation: Cancellation,
    private val listener: RunListener,
) {
    private val startNanos = System.nanoTime()
    private val stretches = ArrayList<WarmUpStretch>()
    private var compiledMillis = jvm?.compileMillis() ?: 0.0

    fun run(turn: Turn, situations: List<Situation>): WarmUp {
        var cycle = 0
        while (true) {
            cycle++
            if (rule.compilerOnAllCores) compiler.free()
            situations.forEach { stretch(turn, it, cycle) }
            pause()
            val rising = situations.filterNot { isFlat(ratesOf(it)) }
            val busy = compilerIsBusy(cycle)
            if (rising.isEmpty() && !busy) return end(true, "every situation flat, compiler idle")
            if (spentNanos() + cycleNanos(situations.size) > rule.budgetNanos) return end(false, reason(rising, busy))
        }
    }

    private fun stretch(turn: Turn, situation: Situation, cycle: Int) {
        cancellation.check()
        val atMillis = spentNanos() / 1e6
        val perSecond = measuring.warm(situation, rule.loadNanos)
        stretches += WarmUpStretch(cycle, situation.name, atMillis, perSecond, newlyCompiledMillis())
        listener(RunEvent.WarmedUp(turn, stretches.last(), spentNanos().nanoseconds, rule.budgetNanos.nanoseconds))
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

    /** In the last cycle, its pause before included, the compiler worked for a share of the time that would show in the rates. */
    private fun compilerIsBusy(cycle: Int): Boolean {
        val last = stretches.filter { it.cycle == cycle }
        return last.sumOf { it.compileMillis } > BUSY_SHARE * last.size * rule.loadNanos / 1e6
    }

    private fun newlyCompiledMillis(): Double {
        val now = jvm?.compileMillis() ?: return 0.0
        return (now - compiledMillis).also { compiledMillis = now }
    }

    private fun ratesOf(situation: Situation) = stretches.filter { it.situation == situation.name }.map { it.answeredPerSecond }

    private fun end(steady: Boolean, reason: String): WarmUp {
        compiler.bringHome()
        return WarmUp(stretches, steady, reason, spentNanos() / 1e6)
    }

    private fun reason(rising: List<Situation>, busy: Boolean): String {
        val unsteady = if (rising.isEmpty()) emptyList() else listOf("not flat: " + rising.joinToString { it.name })
        val compiling = if (busy) listOf("the compiler was still busy") else emptyList()
        return "budget used up; " + (unsteady + compiling).joinToString(", ")
    }

    private fun spentNanos() = System.nanoTime() - startNanos

    private fun cycleNanos(situations: Int) = situations * rule.loadNanos + rule.pauseNanos
}

private const val LOOK_MILLIS = 50L
private const val QUIET_NANOS = 200_000_000L

/** A tenth of one core: less than the tolerance of the rates can show. */
private const val BUSY_SHARE = 0.10
