package threadgauge.server.upstream

/**
 * How the upstream misbehaves, and counts of its requests. Owned by the only event loop.
 *
 * The affected requests are not random: of a hundred in a row, exactly the requested percentages, spread evenly.
 */
internal class Behaviour {
    /** Percentages of requests that are answered with 500, that are never answered, and that trickle byte by byte. */
    var errors = 0
        private set
    var stalls = 0
        private set
    var slow = 0
        private set

    /** Requests since the start, those that wait now, and the highest number that waited at one time. */
    var requests = 0L
        private set
    var waiting = 0
        private set
    var maxWaiting = 0
        private set

    /**
     * Pairs of requests that waited at one time, since the start. Ten requests add 45 where all of them waited at one
     * time, and none where each began after the end of the one before. So a client can tell from the difference of two
     * readings whether its calls overlapped, however late a busy machine was with each of them.
     */
    var overlaps = 0L
        private set

    private var decided = 0L

    fun behave(errors: Int, stalls: Int, slow: Int) {
        this.errors = errors
        this.stalls = stalls
        this.slow = slow
        decided = 0
    }

    /** Decides on the next request. */
    fun next(): Fate {
        requests++
        // A step of 37 visits every number below 100 once, because the two are coprime; so the kinds of failure mix.
        val position = (decided++ * 37 % 100).toInt()
        return when {
            position < errors -> Fate.ERROR
            position < errors + stalls -> Fate.STALL
            position < errors + stalls + slow -> Fate.SLOW
            else -> Fate.FINE
        }
    }

    fun begins() {
        overlaps += waiting
        waiting++
        maxWaiting = maxOf(maxWaiting, waiting)
    }

    fun ends() {
        waiting--
    }

    /** A line for each count. */
    fun stats() = "requests $requests\nwaiting $waiting\nmost waiting $maxWaiting\noverlaps $overlaps\n"
}

internal enum class Fate { FINE, ERROR, STALL, SLOW }
