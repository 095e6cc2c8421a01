package threadgauge.server.database

/** A database that holds the articles and can be asked. [close] may be called by any thread, also twice. */
internal interface Database : AutoCloseable {
    val access: Access

    /** What may decide a result, read from the database where it tells. */
    val settings: Map<String, String>

    /** Returns the exit code when the database has ended by itself; otherwise waits for ever. */
    fun awaitEnd(): Int {
        Thread.currentThread().join()
        error("unreachable: a thread that waits for itself")
    }

    override fun close() = Unit
}

/** Where a database is, for both kinds of drivers. */
internal data class Access(val jdbc: String, val r2dbc: String, val user: String, val password: String) {
    /** The bench splits it at blanks, so no value may hold one. */
    val readyLine: String get() = "ready jdbc=$jdbc r2dbc=$r2dbc user=$user password=$password"

    override fun toString() = "Access($jdbc)"
}
