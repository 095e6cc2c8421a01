package threadgauge.tickets.faults

/** What differs between the databases of a [LedgerDatabase]. */
internal enum class LedgerKind(
    /** Name of the option that starts it. */
    val option: String,
    /** Module that starts it. */
    val module: String,
    /** Name of that module's jar. */
    val jar: String,
    /** Name of the database server's program. */
    val program: String,
    /** SQL for the current time, in the type of the ledger's columns. */
    val clock: String,
    /** Protocol between the services and the database. */
    val newProtocol: () -> WireProtocol,
) {
    POSTGRESQL(
        "postgresql", "servers/services/database", "database", "postgres", "clock_timestamp()", ::PostgresProtocol,
    ) {
        /** PostgreSQL refuses to run as root; in a new user namespace no user is root. */
        override fun restart(command: List<String>) =
            if (System.getProperty("user.name") == "root") listOf("unshare", "-U") + command else command
    },
    MARIADB("mariadb", "servers/services/mariadb", "mariadb", "mariadbd", "utc_timestamp(6)", ::MariaProtocol) {
        /** Without the file for the first start, which has been deleted. */
        override fun restart(command: List<String>) = command.filterNot { it.startsWith("--init-file=") }

        override fun withSmallLog(command: List<String>) =
            command.map { if (it.startsWith("--innodb-log-file-size=")) "--innodb-log-file-size=8M" else it }
    }, ;

    /** The command that starts the database again on its data, given the [command] of the process that was killed. */
    abstract fun restart(command: List<String>): List<String>

    /** The [command] with log files that are smaller than most tables. */
    open fun withSmallLog(command: List<String>) = command

    companion object {
        /** Null if there is no such option. */
        fun of(option: String): LedgerKind? = entries.firstOrNull { it.option == option }
    }
}
