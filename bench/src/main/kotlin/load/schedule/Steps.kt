package threadgauge.load.schedule

/** Schedules in sequence: each part begins where the previous one ends. A burst takes no time. */
data class Steps(val parts: List<Schedule>) : Schedule {
    init {
        require(parts.isNotEmpty()) { "steps need at least one part" }
    }

    private val firstArrivals = parts.runningFold(0L) { sum, part -> sum + part.size }
    private val startsNanos = parts.runningFold(0L) { sum, part -> sum + part.lengthNanos }

    override val size = firstArrivals.last()
    override val lengthNanos = startsNanos.last()

    override fun intendedNanos(k: Long): Long {
        val part = partOf(k)
        return startsNanos[part] + parts[part].intendedNanos(k - firstArrivals[part])
    }

    /** The part that arrival [k] belongs to. Parts without arrivals are skipped. */
    private fun partOf(k: Long): Int {
        val found = firstArrivals.binarySearch(k)
        val at = if (found >= 0) found else -found - 2
        return (at..parts.lastIndex).first { parts[it].size > k - firstArrivals[it] }
    }
}
