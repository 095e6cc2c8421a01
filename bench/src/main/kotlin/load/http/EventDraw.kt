package threadgauge.load.http

import threadgauge.load.http.SplitMix.GOLDEN
import threadgauge.load.http.SplitMix.PLACE
import threadgauge.load.http.SplitMix.below
import threadgauge.load.http.SplitMix.mix
import threadgauge.model.EventsOnSale

/**
 * Which of [events] a request is for: a function of [seed] and the request's number alone, whatever the place, so that
 * path, headers and body of one request name the same event. Draws allocate nothing. Safe for any thread.
 */
internal class EventDraw(events: EventsOnSale, private val seed: Long) {
    private val digits = events.numbers.map { "$it".toByteArray() }.toTypedArray()

    /**
     * Of 2⁵³ equally likely numbers those that mean the first event; so many a double holds exactly. -1 where all are
     * asked alike.
     */
    private val hotOf53Bits = events.hot?.let { (it * (1L shl 53)).toLong() } ?: -1

    /** In decimal digits; not to be changed. */
    fun of(number: Long): ByteArray = digits[index(number)]

    private fun index(number: Long): Int {
        val random = mix(seed + SALT + number * GOLDEN)
        return when {
            hotOf53Bits < 0 -> below(digits.size.toLong(), random).toInt()
            random ushr 11 < hotOf53Bits -> 0
            else -> 1 + below(digits.size - 1L, mix(random + PLACE)).toInt()
        }
    }

    private companion object {
        /** Apart from what any placeholder of a template draws, whose salts are mixed from small numbers above 0. */
        val SALT = mix(-1)
    }
}
