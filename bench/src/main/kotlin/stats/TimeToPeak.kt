package threadgauge.stats

import threadgauge.model.plan.WarmUp

/**
 * Milliseconds from the start of the warm-up to the end of the first iteration in which [situation] had at least
 * [share] of its steady rate; null where the warm-up never became steady, or does not include the situation. Add the
 * time to boot for the time from the start of the process.
 *
 * The steady rate is the median rate of the last [MIN_ITERATIONS] iterations. [stretchMillis] is the length of one
 * iteration, [threadgauge.model.WarmUpRule.loadNanos] of the plan: the rate is that of a whole iteration, so it is
 * certain only at its end.
 *
 * Warm-up iterations alternate between the situations, with pauses in between, so the time includes the other
 * situations: compare it between stacks of one experiment, not between experiments. Its resolution is one cycle.
 *
 * 95 % because the steady rate is only approached: a settling band of 5 % is the usual one in control engineering
 * (Ogata, *Modern Control Engineering*, 5-3), and rates of single iterations differ by as much in the steady state.
 */
fun timeToPeakMillis(warmUp: WarmUp, situation: String, stretchMillis: Double, share: Double = 0.95): Double? {
    val curve = warmUp.iterations.filter { it.situation == situation }
    if (!warmUp.steady || curve.isEmpty()) return null
    val steady = median(curve.takeLast(MIN_ITERATIONS).map { it.answeredPerSecond })
    if (steady <= 0) return null
    return curve.first { it.answeredPerSecond >= share * steady }.atMillis + stretchMillis
}
