package threadgauge.run

import threadgauge.model.Situation
import threadgauge.model.Turn
import threadgauge.model.WarmUp
import threadgauge.model.WarmUpRule
import threadgauge.model.WarmUpStretch
import threadgauge.probe.JvmProbe
import threadgauge.stats.Shape
import threadgauge.stats.shapeOf
import threadgauge.target.CompilerThreads
import java.util.Locale
import kotlin.time.Duration.Companion.nanoseconds

/**
 * Brings a fresh process to its steady speed in cycles of load and pause. A cycle puts a stretch of load on every
 * situation in turn, then waits for the compiler: continuous load on few cores keeps the compiler from ever catching
 * up, and can reverse a ranking. Steady means that the rates of all situations are flat, that the compiler has next to
 * nothing left to do, and that the compiled code no longer grows.
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
            val unsteady = unsteady(situations, cycle)
            if (unsteady.isEmpty()) return end(true, "every situation flat, compiler idle, code no longer growing")
            if (spentNanos() + cycleNanos(situations.size) > rule.budgetNanos) {
                return end(false, "budget used up; " + unsteady.joinToString("; "))
            }
        }
    }

    private fun stretch(turn: Turn, situation: Situation, cycle: Int) {
        cancellation.check()
        val atMillis = spentNanos() / 1e6
        val perSecond = measuring.warm(situation, rule.loadNanos)
        stretches += WarmUpStretch(cycle, situation.name, atMillis, perSecond, newlyCompiledMillis(), jvm?.codeCacheBytes())
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

    /** What is not steady yet after [cycle], in words; empty when all is. */
    private fun unsteady(situations: List<Situation>, cycle: Int): List<String> {
        val shapes = situations.map { it.name to shapeOf(ratesOf(it)) }.filter { it.second != Shape.FLAT }
        val busy = compilerShare(cycle)
        val growth = codeGrowth(cycle)
        return shapes.map { (name, shape) -> "$name ${shape.words}" } +
            listOfNotNull(
                "the compiler was at work for ${percent(busy)} of the last cycle".takeIf { busy > BUSY_SHARE },
                "compiled code grew by ${percent(growth)} in the last cycle".takeIf { growth > GROWTH },
            )
    }

    /** All compiler threads together in the last cycle, its pause before included, as a share of its time of load. */
    private fun compilerShare(cycle: Int): Double {
        val last = stretches.filter { it.cycle == cycle }
        return last.sumOf { it.compileMillis } / (last.size * rule.loadNanos / 1e6)
    }

    /** Between the ends of the last two cycles. Code that is thrown away does not count: what is not used costs nothing. */
    private fun codeGrowth(cycle: Int): Double {
        fun bytesAfter(number: Int) = stretches.lastOrNull { it.cycle == number }?.codeCacheBytes
        val before = bytesAfter(cycle - 1) ?: return 0.0
        return (bytesAfter(cycle) ?: return 0.0).toDouble() / before - 1
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

    private fun spentNanos() = System.nanoTime() - startNanos

    private fun cycleNanos(situations: Int) = situations * rule.loadNanos + rule.pauseNanos
}

private const val LOOK_MILLIS = 50L
private const val QUIET_NANOS = 200_000_000L

private fun percent(share: Double) = "%.0f %%".format(Locale.ROOT, share * 100)

/** A tenth of one core: less than the tolerance of the rates can show. */
private const val BUSY_SHARE = 0.10

/** Seen in cycles of the tour's stacks from the third on: 1 to 5 % while compilers were at full work, 0.3 to 0.7 % once they were quiet. */
private const val GROWTH = 0.01
