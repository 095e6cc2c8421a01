package threadgauge.run.measure

import threadgauge.model.plan.CurveShape
import threadgauge.model.plan.QUIET_COMPILER_SHARE
import threadgauge.model.plan.UnsteadyPart
import threadgauge.model.plan.WarmUpIteration
import threadgauge.stats.curveShapeOf

/**
 * What is not steady yet after the last cycle of [iterations], each [loadNanos] long. Empty if all is steady: the rates
 * of every situation are flat, the compiler is quiet, and the compiled code no longer grows.
 */
internal fun unsteadyPartsIn(iterations: List<WarmUpIteration>, loadNanos: Long): List<UnsteadyPart> {
    val rates = iterations.groupBy({ it.situation }, { it.answeredPerSecond })
    val notFlat = rates.mapValues { curveShapeOf(it.value) }.filterValues { it != CurveShape.FLAT }
    val busy = compilerShare(iterations, loadNanos)
    val growth = codeGrowth(iterations)
    return notFlat.map { (situation, shape) -> UnsteadyPart.RateNotFlat(situation, shape) } +
        listOfNotNull(
            UnsteadyPart.CompilerBusy(busy).takeIf { busy > QUIET_COMPILER_SHARE },
            UnsteadyPart.CodeGrowing(growth).takeIf { growth > GROWTH },
        )
}

/**
 * Compilation time of all compiler threads in the last cycle, the pause before included, as a share of its load time.
 */
private fun compilerShare(iterations: List<WarmUpIteration>, loadNanos: Long): Double {
    val last = iterations.filter { it.cycle == iterations.last().cycle }
    return last.sumOf { it.compileMillis } / (last.size * loadNanos / 1e6)
}

/**
 * Relative growth of the code cache between the ends of the last two cycles. A negative value is no growth: code that
 * the JVM has discarded costs nothing.
 */
private fun codeGrowth(iterations: List<WarmUpIteration>): Double {
    val now = iterations.last()
    val before = iterations.lastOrNull { it.cycle < now.cycle }?.codeCacheBytes ?: return 0.0
    return (now.codeCacheBytes ?: return 0.0).toDouble() / before - 1
}

/**
 * In the cycles of the tour's stacks from the third on, the code cache grew by 1 to 5 % while compilers were busy, and
 * by 0.3 to 0.7 % once they were quiet.
 */
private const val GROWTH = 0.01
