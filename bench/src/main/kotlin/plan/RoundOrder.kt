package threadgauge.plan

import java.util.Random

/** Draws the order of the stacks in the rounds of [block]. The same seed gives the same order, on every Java. */
internal class RoundOrder(seed: Long, block: Int) {
    private val random = Random(mixed(seed + block))

    fun <T> shuffled(all: List<T>): List<T> = all.shuffled(random)
}

/**
 * Spreads adjacent seeds, as the finaliser of SplitMix64 does (Steele, Lea and Flood, "Fast splittable pseudorandom
 * number generators", 2014). Without it seeds 1 to 50 all begin with the same stack. [Random] is used because its
 * sequence is specified, unlike that of Kotlin.
 */
internal fun mixed(seed: Long): Long {
    val first = (seed xor (seed ushr 30)) * -0x40a7b892e31b1a47L
    val second = (first xor (first ushr 27)) * -0x6b2fb644ecceee15L
    return second xor (second ushr 31)
}
