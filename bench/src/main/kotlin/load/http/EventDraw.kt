package threadgauge.load.http

import threadgauge.load.http.SplitMix.GOLDEN
import threadgauge.load.http.SplitMix.PLACE
import threadgauge.load.http.SplitMix.below
import threadgauge.load.http.SplitMix.mix
import threadgauge.model.EventsOnSale

/**
 * Draws which of [events] a request is for. The draw depends only on [seed] and the request's number, so that path,
 * headers and body of one request name the same event. Allocates nothing. Safe for any thread.
 */
internal class EventDraw(events: EventsOnSale, private val seed: Long) {
    private val digits = events.numbers.map { "$it".toByteArray() }.toTypedArray()

    /**
     * Of 2⁵³ equally likely numbers, how many mean the first event; a double holds integers up to 2⁵³ exactly. -1 if
     * all events are equally likely.
     */
    private val hotOf53Bits = events.hot?.let { (it * (1L shl 53)).toLong() } ?: -1

    /** The id of the event in decimal digits. Must not be modified. */
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
        /** Differs from the salts of placeholders, which are mixed from small positive numbers. */
        val SALT = mix(-1)
    }
}
