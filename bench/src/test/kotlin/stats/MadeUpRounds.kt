package threadgauge.stats

import java.util.random.RandomGenerator
import java.util.random.RandomGeneratorFactory
import kotlin.math.ln
import kotlin.math.sqrt

/**
 * What disturbs made-up slices. Every slice varies by [SLICE], as a standard deviation of the logarithm; the rest comes
 * on top.
 */
internal enum class Disturbance(
    /** Standard deviation of the difference of the logarithms between the processes of one block. */
    val processes: Double = 0.0,
    /** How much slower the machine gets from the first to the last slice, as a logarithm. */
    val drift: Double = 0.0,
    /**
     * 0.3 of the time in bursts of three slices on average; the logarithm of each slice falls by this, for stack a.
     */
    val burst: Double = 0.0,
    /** The same for stack b. */
    val burstOfB: Double = burst,
    /** Correlation of successive slices of one process. */
    val correlation: Double = 0.0,
    /** Standard deviation of stack a ÷ that of stack b, for slices and processes. */
    val unequal: Double = 1.0,
    /** Slices have Student's distribution with three degrees of freedom. */
    val heavyTails: Boolean = false,
    /** Share of the slices of stack a in which it pauses by itself, and loses 30 %. */
    val pauses: Double = 0.0,
) {
    NONE,
    DRIFT(drift = 0.3),
    BURSTS(burst = SLOWER),
    BURSTS_AND_PROCESSES(burst = SLOWER, processes = 0.02),
    PROCESSES_2(processes = 0.02),
    PROCESSES_5(processes = 0.05),
    CORRELATED(correlation = 0.5),
    CORRELATED_AND_PROCESSES(correlation = 0.5, processes = 0.02),
    UNEQUAL(unequal = 2.0, processes = 0.02),
    HEAVY_TAILS(heavyTails = true),
    HEAVY_TAILS_AND_PROCESSES(heavyTails = true, processes = 0.02),
    PAUSES_OF_ONE(pauses = 0.1, processes = 0.02),
    BURSTS_HURT_ONE_MORE(burst = SLOWER, burstOfB = SLOWER / 2, processes = 0.02),
    ;

    /** The logarithm of a ÷ b where the two would be equal without the disturbance. */
    val bias = pauses * SLOWER + IN_BURST * (burst - burstOfB)

    val symmetric = bias == 0.0
}

/** ln(a ÷ b) of all rounds of [sizes].size blocks, with slices in random order; [truth] is that of a quiet machine. */
internal fun madeUpBlocks(
    of: Disturbance,
    sizes: List<Int>,
    truth: Double,
    random: RandomGenerator,
): List<List<Double>> {
    val slices = 2 * sizes.sum()
    var slice = 0
    var inBurst = random.nextDouble() < IN_BURST
    return sizes.map { size ->
        val processes =
            doubleArrayOf(of.processes * of.unequal * random.nextGaussian(), of.processes * random.nextGaussian())
        val noise = doubleArrayOf(random.nextGaussian(), random.nextGaussian())
        List(size) {
            val logs = DoubleArray(2)
            val first = random.nextInt(2)
            for (stack in intArrayOf(first, 1 - first)) {
                val fresh = if (of.heavyTails) random.heavyTailed() else random.nextGaussian()
                noise[stack] = of.correlation * noise[stack] + sqrt(1 - of.correlation * of.correlation) * fresh
                val scale = if (stack == 0) of.unequal else 1.0
                logs[stack] = processes[stack] / sqrt(2.0) + SLICE * scale * noise[stack] - of.drift * slice++ / slices
                if (inBurst) logs[stack] += if (stack == 0) of.burst else of.burstOfB
                if (stack == 0 && of.pauses > 0 && random.nextDouble() < of.pauses) logs[stack] += SLOWER
                inBurst = random.nextDouble() < if (inBurst) STAYS else (1 - STAYS) * IN_BURST / (1 - IN_BURST)
            }
            truth + logs[0] - logs[1]
        }
    }
}

/** Student's distribution with three degrees of freedom, with the standard deviation 1. */
internal fun RandomGenerator.heavyTailed(): Double {
    var squares = 0.0
    repeat(3) { squares += nextGaussian().let { it * it } }
    return nextGaussian() / sqrt(squares)
}

/** Several times faster than [java.util.Random]. */
internal fun fastRandom(seed: Long): RandomGenerator =
    RandomGeneratorFactory.of<RandomGenerator>("L64X128MixRandom").create(seed)

private const val SLICE = 0.08
private const val IN_BURST = 0.3
private const val STAYS = 2 / 3.0
private val SLOWER = ln(0.7)
