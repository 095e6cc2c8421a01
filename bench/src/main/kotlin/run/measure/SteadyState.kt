package threadgauge.run.measure

import threadgauge.model.CurveShape
import threadgauge.model.UnsteadyPart
import threadgauge.model.WarmUpIteration
import threadgauge.stats.curveShapeOf

/**
 * What is not steady yet after the last cycle of [iterations], which are [loadNanos] long each; empty when all is
 * steady: every situation's rate flat, the compiler quiet, and the compiled code no longer growing.
 */
internal fun unsteadyPartsIn(iterations: List<WarmUpIteration>, loadNanos: Long): List<UnsteadyPart> {
    val rates = iterations.groupBy({ it.situation }, { it.answeredPerSecond })
    val notFlat = rates.mapValues { curveShapeOf(it.value) }.filterValues { it != CurveShape.FLAT }
    val busy = compilerShare(iterations, loadNanos)
    val growth = codeGrowth(iterations)
    return notFlat.map { (situation, shape) -> UnsteadyPart.RateNotFlat(situation, shape) } +
        listOfNotNull(
            UnsteadyPart.CompilerBusy(busy).takeIf { busy > BUSY_SHARE },
            UnsteadyPart.CodeGrowing(growth).takeIf { growth > GROWTH },
        )
}

/** All compiler threads together in the last cycle, the pause before included, as a share of its time of load. */
private fun compilerShare(iterations: List<WarmUpIteration>, loadNanos: Long): Double {
    val last = iterations.filter { it.cycle == iterations.last().cycle }
    return last.sumOf { it.compileMillis } / (last.size * loadNanos / 1e6)
}

/** Between the ends of the last two cycles. Code that is thrown away does not count: what is not used costs nothing. */
private fun codeGrowth(iterations: List<WarmUpIteration>): Double {
    val now = iterations.last()
    val before = iterations.lastOrNull { it.cycle < now.cycle }?.codeCacheBytes ?: return 0.0
    return (now.codeCacheBytes ?: return 0.0).toDouble() / before - 1
}

/** A tenth of one core: less than the tolerance of the rates can show. */
private const val BUSY_SHARE = 0.10

/**
 * Seen in cycles of the tour's stacks from the third on: 1 to 5 % while compilers were at full work, 0.3 to 0.7 % once
 * they were quiet.
 */
private const val GROWTH = 0.01
