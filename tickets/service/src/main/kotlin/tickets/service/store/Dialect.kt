package threadgauge.tickets.service.store

import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.Ask
import threadgauge.tickets.rules.EventId
import java.sql.ResultSet
import java.time.Instant
import java.time.LocalDateTime
import java.time.OffsetDateTime
import java.time.ZoneOffset

/** What one kind of database is told in its own words. All that is common is in [BooksStore] and the functions beside it. */
sealed interface Dialect {
    /** Begins the address of such a database. */
    val scheme: String

    /** Where its migrations are. */
    val migrations: String

    /** Told once to each connection. Whoever says nothing for [idleSeconds] in the middle of a transaction loses it. */
    fun greeting(idleSeconds: Long): String

    /** Told to the driver, each as a property. */
    val driverSettings: Map<String, String>

    /** Settings without which a commit may be lost, with the values that are safe, the usual one first. */
    val durable: Map<String, Set<String>>

    /** Gives the value of one such setting. */
    fun showing(setting: String): String

    /** The time at which it is evaluated, however old the transaction is. */
    val clock: String

    /** The time at which a statement began, or its transaction: the same in all of a statement. */
    val moment: String

    /** Of an event `e`: how many seconds a hold lasts, and when one ends that begins now. */
    val holdSeconds: String
    val holdEnd: String

    /** A parameter in seconds, as a hold. */
    val holdValue: String

    /** What becomes of the insertion of a reservation whose key is known: nothing is written, and the row that is there may be told. */
    val orNothing: String

    /** The same, and the row that is there is told. */
    val orItself: String

    /** Numbers from 1 to [most], as a query of one column. */
    fun numbers(most: Int): String

    /** How a list of [size] values stands behind `in`, and whether all of it is one parameter. */
    fun among(size: Int): String
    val hasArrays: Boolean

    fun instant(row: ResultSet, column: String): Instant

    /** As the driver passes it on without asking in which zone it runs. */
    fun value(instant: Instant): Any

    /** Grants [asks] for [event] in their order, in the session's transaction, after the rule in the core. */
    fun grant(session: Session, event: EventId, asks: List<Ask>): List<Answer>

    companion object {
        private val ALL = listOf(Postgres, Maria)

        /** Throws [UnusableBooks] for an address of another kind. */
        fun of(jdbc: String): Dialect = ALL.firstOrNull { jdbc.startsWith(it.scheme) } ?: throw UnusableBooks(
            "${jdbc.substringBefore('?')} is no database in which books can be kept",
            "Let tickets.database.url begin with ${ALL.joinToString(" or ") { it.scheme }}.",
        )
    }
}

/** PostgreSQL 13 and later. */
internal data object Postgres : Dialect {
    override val scheme = "jdbc:postgresql:"
    override val migrations = "classpath:db/postgresql"

    /**
     * Everything is asked for by its key. The planner would believe otherwise until the tables are analysed for the first time: on the
     * first day of a sale it takes them for nearly empty, and reads all of them for each batch (`PostgresStoreContract`).
     */
    override fun greeting(idleSeconds: Long) = "set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off; " +
        "set idle_in_transaction_session_timeout = '${idleSeconds}s'"

    /** Statements are prepared at the server from the first time on: the same few are all there is. Times are in seconds. */
    override val driverSettings = mapOf("tcpKeepAlive" to "true", "socketTimeout" to "10", "prepareThreshold" to "1")

    /** PostgreSQL manual, chapters 28.1 and 28.3 of version 17. */
    override val durable = mapOf(
        "fsync" to setOf("on"),
        "full_page_writes" to setOf("on"),
        "synchronous_commit" to setOf("on", "local", "remote_write", "remote_apply"),
    )

    override fun showing(setting: String) = "show $setting"
    override val clock = "clock_timestamp()"
    override val moment = "now()"
    override val holdSeconds = "extract(epoch from e.hold)"
    override val holdEnd = "clock_timestamp() + e.hold"
    override val holdValue = "make_interval(secs => ?)"
    override val orNothing = "on conflict (idempotency_key) do nothing"
    override val orItself = "on conflict (idempotency_key) do update set idempotency_key = excluded.idempotency_key"
    override fun numbers(most: Int) = "select n from generate_series(1, $most) n"
    override fun among(size: Int) = "= any(?)"
    override val hasArrays = true
    override fun instant(row: ResultSet, column: String): Instant = row.getObject(column, OffsetDateTime::class.java).toInstant()
    override fun value(instant: Instant): Any = instant.atOffset(ZoneOffset.UTC)
    override fun grant(session: Session, event: EventId, asks: List<Ask>) = session.grantByFunction(event, asks)
}

/** MariaDB 10.7 and later. */
internal data object Maria : Dialect {
    private const val BINLOG = "sync_binlog"
    override val scheme = "jdbc:mariadb:"
    override val migrations = "classpath:db/mariadb"

    /** Times are in UTC. Who waits for a lock gives up in time to be tried again while his caller waits. */
    override fun greeting(idleSeconds: Long) =
        "set session time_zone = '+00:00', innodb_lock_wait_timeout = 2, idle_transaction_timeout = $idleSeconds, " +
            "sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,ERROR_FOR_DIVISION_BY_ZERO'"

    /** As for PostgreSQL, though here the time is in milliseconds. */
    override val driverSettings = mapOf("tcpKeepAlive" to "true", "socketTimeout" to "10000", "useServerPrepStmts" to "true")

    /** MariaDB documentation, "InnoDB System Variables" and "Group Commit for the Binary Log": where there is that log, it decides. */
    override val durable = mapOf(
        "innodb_flush_log_at_trx_commit" to setOf("1", "3"),
        "innodb_doublewrite" to setOf("ON", "1"),
        BINLOG to setOf("1"),
    )

    override fun showing(setting: String) =
        if (setting == BINLOG) "select if(@@global.log_bin, @@global.$BINLOG, 1)" else "select @@global.$setting"

    override val clock = "sysdate(6)"
    override val moment = "now(6)"
    override val holdSeconds = "e.hold"
    override val holdEnd = "sysdate(6) + interval e.hold second"
    override val holdValue = "?"
    override val orNothing = "on duplicate key update reservation.id = reservation.id"
    override val orItself = orNothing
    override fun numbers(most: Int) = "select seq from seq_1_to_$most"
    override fun among(size: Int) = List(size) { "?" }.joinToString(prefix = "in (", postfix = ")")
    override val hasArrays = false
    override fun instant(row: ResultSet, column: String): Instant =
        row.getObject(column, LocalDateTime::class.java).toInstant(ZoneOffset.UTC)

    override fun value(instant: Instant): Any = LocalDateTime.ofInstant(instant, ZoneOffset.UTC)
    override fun grant(session: Session, event: EventId, asks: List<Ask>) = session.grantByRule(event, asks)
}
