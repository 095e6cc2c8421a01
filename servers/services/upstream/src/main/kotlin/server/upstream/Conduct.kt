package threadgauge.server.upstream

/**
 * How the upstream misbehaves, and what it has done so far. Belongs to the one event loop.
 *
 * Which requests are hit is no matter of chance: of a hundred in a row, exactly so many as were asked for, spread evenly.
 */
internal class Conduct {
    /** Per cent of the requests that are answered with 500, that are never answered, and that trickle out byte by byte. */
    var errors = 0
        private set
    var stalls = 0
        private set
    var slow = 0
        private set

    /** Requests since the start, those that wait now, and the most that ever waited at a time. */
    var requests = 0L
        private set
    var waiting = 0
        private set
    var mostWaiting = 0
        private set

    private var asked = 0L

    fun behave(errors: Int, stalls: Int, slow: Int) {
        this.errors = errors
        this.stalls = stalls
        this.slow = slow
        asked = 0
    }

    /** What happens to the next request. */
    fun next(): Fate {
        requests++
        // A step of 37 visits every number below 100 once, because the two have no divisor in common; so kinds of failure mix.
        val turn = (asked++ * 37 % 100).toInt()
        return when {
            turn < errors -> Fate.ERROR
            turn < errors + stalls -> Fate.STALL
            turn < errors + stalls + slow -> Fate.SLOW
            else -> Fate.FINE
        }
    }

    fun begins() {
        waiting++
        mostWaiting = maxOf(mostWaiting, waiting)
    }

    fun ends() {
        waiting--
    }
}

internal enum class Fate { FINE, ERROR, STALL, SLOW }
