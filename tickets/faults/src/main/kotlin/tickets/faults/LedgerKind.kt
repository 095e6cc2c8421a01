package threadgauge.tickets.faults

/** What must be known of one kind of database to hurt it; all else is common, see [LedgerDatabase]. */
internal enum class LedgerKind(
    /** As whoever starts databases calls it. */
    val word: String,
    /** The module that starts it, and its jar. */
    val home: String,
    val jar: String,
    /** Name of the program that is the database. */
    val program: String,
    /** The time, as the books have it. */
    val clock: String,
    /** Hears what services say to it. */
    val newProtocol: () -> WireProtocol,
) {
    POSTGRESQL("postgresql", "servers/database", "database", "postgres", "clock_timestamp()", ::PostgresProtocol) {
        /** It refuses to run as root, and in a user namespace of its own nobody is. */
        override fun again(command: List<String>) =
            if (System.getProperty("user.name") == "root") listOf("unshare", "-U") + command else command
    },
    MARIADB("mariadb", "servers/mariadb", "mariadb", "mariadbd", "utc_timestamp(6)", ::MariaProtocol) {
        /** The file for its very first start is gone. */
        override fun again(command: List<String>) = command.filterNot { it.startsWith("--init-file=") }

        override fun small(command: List<String>) =
            command.map { if (it.startsWith("--innodb-log-file-size=")) "--innodb-log-file-size=8M" else it }
    }, ;

    /** What starts the database on what it had written, after [command] has run and was killed. */
    abstract fun again(command: List<String>): List<String>

    /** The same [command] with files of a log that are smaller than most tables. */
    open fun small(command: List<String>) = command

    companion object {
        /** Null for a word that names none. */
        fun of(word: String): LedgerKind? = entries.firstOrNull { it.word == word }
    }
}
