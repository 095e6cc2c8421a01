package threadgauge.tickets.rules

/** Number of seats of one reservation, 1 to [MAX]. */
@JvmInline
value class Seats private constructor(val count: Int) {
    override fun toString() = "$count"

    companion object {
        /** A larger group makes several reservations. The limit keeps one mistyped request from emptying a sale. */
        const val MAX = 100

        /** Null if [count] is not in the range. */
        fun of(count: Long): Seats? = if (count in 1..MAX) Seats(count.toInt()) else null
    }
}
