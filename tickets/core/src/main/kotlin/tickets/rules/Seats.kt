package threadgauge.tickets.rules

/** How many seats one reservation takes: 1 to [MAX]. */
@JvmInline
value class Seats private constructor(val count: Int) {
    override fun toString() = "$count"

    companion object {
        /** A group that is larger makes several reservations. It keeps one request from emptying a sale by a slip of the finger. */
        const val MAX = 100

        /** Null for what is no number of seats. */
        fun of(count: Long): Seats? = if (count in 1..MAX) Seats(count.toInt()) else null
    }
}
