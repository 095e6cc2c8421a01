package threadgauge.server.database

/** A database that is ready. Any thread may call [close], also twice. */
internal interface Database : AutoCloseable {
    /** The line for the bench: `ready`, then names and values. It is split at blanks, so no value may hold one. */
    val readyLine: String

    /** Settings that may decide a result, read from the database where it reports them. */
    val settings: Map<String, String>

    /** Waits until the database ends by itself, and returns the exit code. Without a process it waits for ever. */
    fun awaitEnd(): Int {
        Thread.currentThread().join()
        error("unreachable: the thread joins itself")
    }

    override fun close() = Unit
}

/**
 * Addresses of a database for both kinds of drivers. [statements] is the endpoint that counts statements; null without
 * one.
 */
internal data class Access(
    val jdbc: String,
    val r2dbc: String,
    val user: String,
    val password: String,
    val statements: String? = null,
) {
    val readyLine: String get() = "$addresses password=$password" + statements?.let { " statements=$it" }.orEmpty()

    /** [readyLine] without the password, which the client knows already: output is kept in a log. */
    val readyLineWithoutPassword: String get() = addresses

    private val addresses get() = "ready jdbc=$jdbc r2dbc=$r2dbc user=$user"

    override fun toString() = "Access($jdbc)"
}
