package threadgauge.server.database

/** A database that can be asked. [close] may be called by any thread, also twice. */
internal interface Database : AutoCloseable {
    /** Says where it is: `ready`, then names and values. Whoever reads it splits it at blanks, so no value may hold one. */
    val readyLine: String

    /** What may decide a result, read from the database where it tells. */
    val settings: Map<String, String>

    /** Returns the exit code when the database has ended by itself; otherwise waits for ever. */
    fun awaitEnd(): Int {
        Thread.currentThread().join()
        error("unreachable: a thread that waits for itself")
    }

    override fun close() = Unit
}

/** Where a database is, for both kinds of drivers; [statements] is where it tells how much it was asked, null where it does not. */
internal data class Access(
    val jdbc: String,
    val r2dbc: String,
    val user: String,
    val password: String,
    val statements: String? = null,
) {
    val readyLine: String get() = "$place password=$password" + statements?.let { " statements=$it" }.orEmpty()

    /** [readyLine] for who knows the password: what is printed is kept. */
    val readyLineWithoutPassword: String get() = place

    private val place get() = "ready jdbc=$jdbc r2dbc=$r2dbc user=$user"

    override fun toString() = "Access($jdbc)"
}
