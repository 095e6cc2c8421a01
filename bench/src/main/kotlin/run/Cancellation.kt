package threadgauge.run

/**
 * Lets another thread end a run early: [cancel] closes everything that the run has open, so that whatever it waits for
 * fails, and the run then finds out here that this was meant. Safe for any thread.
 */
class Cancellation {
    private val open = ArrayList<AutoCloseable>() // guarded by this

    @Volatile
    var isCancelled = false
        private set

    fun cancel() {
        isCancelled = true
        synchronized(this) { open.toList() }.asReversed().forEach { runCatching { it.close() } }
    }

    fun check() {
        if (isCancelled) throw Cancelled()
    }

    /** Runs [block] with [resource], which is closed afterwards, or at once when the run is cancelled. */
    fun <R : AutoCloseable, T> using(resource: R, block: (R) -> T): T {
        synchronized(this) { open += resource }
        try {
            check()
            return block(resource)
        } finally {
            synchronized(this) { open -= resource }
            resource.close()
        }
    }
}

/** The user has interrupted what was to be done. */
class Cancelled : Exception()
