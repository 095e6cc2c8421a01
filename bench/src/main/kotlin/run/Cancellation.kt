package threadgauge.run

/**
 * Lets another thread end a run early. [cancel] closes everything that the run has open, so that blocked calls fail;
 * [check] and [isCancelled] then show that this was intended. Safe for any thread.
 */
class Cancellation {
    private val open = ArrayList<AutoCloseable>() // guarded by this

    @Volatile
    var isCancelled = false
        private set

    /** Closes all open resources, the latest first. May be called more than once. */
    fun cancel() {
        isCancelled = true
        synchronized(this) { open.toList() }.asReversed().forEach { runCatching { it.close() } }
    }

    /** Throws [Cancelled] after [cancel]. */
    fun check() {
        if (isCancelled) throw Cancelled()
    }

    /**
     * Runs [block] with [resource] and closes it afterwards, or at once on [cancel]; it may be closed twice. Throws
     * [Cancelled].
     */
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

/** The user interrupted the command. */
class Cancelled : Exception()
