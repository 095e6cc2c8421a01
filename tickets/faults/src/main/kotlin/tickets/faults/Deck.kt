package threadgauge.tickets.faults

import java.util.Random

/**
 * Draws the numbers below [size] as from a pack of cards: each once before any comes again. So every kind of fault
 * happens before long, as often as its weight says.
 */
internal class Deck(private val size: Int, private val random: Random) {
    private val left = ArrayDeque<Int>()

    fun next(): Int {
        if (left.isEmpty()) left += (0 until size).shuffled(random)
        return left.removeFirst()
    }
}
