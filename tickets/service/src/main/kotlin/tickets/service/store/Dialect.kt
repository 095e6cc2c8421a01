package threadgauge.tickets.service.store

import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.rules.EventId
import java.sql.ResultSet
import java.time.Instant
import java.time.LocalDateTime
import java.time.OffsetDateTime
import java.time.ZoneOffset

/** What one kind of database is told in its own words. All that is common is in [SqlLedger] and the functions beside it. */
sealed interface Dialect {
    /** Begins the address of such a database. */
    val scheme: String

    /** Where its migrations are. */
    val migrations: String

    /** Told once to each connection. Whoever says nothing for [idleTimeoutSeconds] in the middle of a transaction loses it. */
    fun initSql(idleTimeoutSeconds: Long): String

    /** Told to the driver, each as a property. */
    val driverSettings: Map<String, String>

    /** Settings without which a commit may be lost, with the values that are safe, the usual one first. */
    val durable: Map<String, Set<String>>

    /** Gives the value of one such setting. */
    fun settingQuery(setting: String): String

    /** The time at which it is evaluated, however old the transaction is. */
    val clock: String

    /** The time at which a statement began, or its transaction: the same in all of a statement. */
    val statementTime: String

    /** Of an event `e`: how many seconds a hold lasts, and when one ends that begins now. */
    val holdSeconds: String
    val holdEnd: String

    /** A parameter in seconds, as a hold. */
    val holdValue: String

    /** What becomes of the insertion of a reservation whose key is known: nothing is written, and the row that is there may be told. */
    val ifKeyExistsSkip: String

    /** The same, and the row that is there is told. */
    val ifKeyExistsReturn: String

    /** Numbers from 1 to [most], as a query of one column. */
    fun numbers(max: Int): String

    /** How a list of [size] values stands behind `in`, and whether all of it is one parameter. */
    fun inList(size: Int): String
    val hasArrays: Boolean

    fun instant(row: ResultSet, column: String): Instant

    /** As the driver passes it on without asking in which zone it runs. */
    fun value(instant: Instant): Any

    /** Grants [requests] for [event] in their order, in the session's transaction, after the rule in the core. */
    fun grant(session: Session, event: EventId, requests: List<SeatRequest>): List<Answer>

    companion object {
        private val ALL = listOf(Postgres, Maria)

        /** Throws [StartupError] for an address of another kind. */
        fun of(jdbc: String): Dialect = ALL.firstOrNull { jdbc.startsWith(it.scheme) } ?: throw StartupError(
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
     * first day of a sale it takes them for nearly empty, and reads all of them for each batch (`PostgresLedgerContract`).
     */
    override fun initSql(idleTimeoutSeconds: Long) = "set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off; " +
        "set idle_in_transaction_session_timeout = '${idleTimeoutSeconds}s'"

    /** Statements are prepared at the server from the first time on: the same few are all there is. Times are in seconds. */
    override val driverSettings = mapOf("tcpKeepAlive" to "true", "socketTimeout" to "10", "prepareThreshold" to "1")

    /** PostgreSQL manual, chapters 28.1 and 28.3 of version 17. */
    override val durable = mapOf(
        "fsync" to setOf("on"),
        "full_page_writes" to setOf("on"),
        "synchronous_commit" to setOf("on", "local", "remote_write", "remote_apply"),
    )

    override fun settingQuery(setting: String) = "show $setting"
    override val clock = "clock_timestamp()"
    override val statementTime = "now()"
    override val holdSeconds = "extract(epoch from e.hold)"
    override val holdEnd = "clock_timestamp() + e.hold"
    override val holdValue = "make_interval(secs => ?)"
    override val ifKeyExistsSkip = "on conflict (idempotency_key) do nothing"
    override val ifKeyExistsReturn = "on conflict (idempotency_key) do update set idempotency_key = excluded.idempotency_key"
    override fun numbers(max: Int) = "select n from generate_series(1, $max) n"
    override fun inList(size: Int) = "= any(?)"
    override val hasArrays = true
    override fun instant(row: ResultSet, column: String): Instant = row.getObject(column, OffsetDateTime::class.java).toInstant()
    override fun value(instant: Instant): Any = instant.atOffset(ZoneOffset.UTC)
    override fun grant(session: Session, event: EventId, requests: List<SeatRequest>) = session.grantByFunction(event, requests)
}

/** MariaDB 10.7 and later. */
internal data object Maria : Dialect {
    private const val BINLOG = "sync_binlog"
    override val scheme = "jdbc:mariadb:"
    override val migrations = "classpath:db/mariadb"

    /** Times are in UTC. Who waits for a lock gives up in time to be tried again while his caller waits. */
    override fun initSql(idleTimeoutSeconds: Long) =
        "set session time_zone = '+00:00', innodb_lock_wait_timeout = 2, idle_transaction_timeout = $idleTimeoutSeconds, " +
            "sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,ERROR_FOR_DIVISION_BY_ZERO'"

    /** As for PostgreSQL, though here the time is in milliseconds. */
    override val driverSettings = mapOf("tcpKeepAlive" to "true", "socketTimeout" to "10000", "useServerPrepStmts" to "true")

    /** MariaDB documentation, "InnoDB System Variables" and "Group Commit for the Binary Log": where there is that log, it decides. */
    override val durable = mapOf(
        "innodb_flush_log_at_trx_commit" to setOf("1", "3"),
        "innodb_doublewrite" to setOf("ON", "1"),
        BINLOG to setOf("1"),
    )

    override fun settingQuery(setting: String) =
        if (setting == BINLOG) "select if(@@global.log_bin, @@global.$BINLOG, 1)" else "select @@global.$setting"

    override val clock = "sysdate(6)"
    override val statementTime = "now(6)"
    override val holdSeconds = "e.hold"
    override val holdEnd = "sysdate(6) + interval e.hold second"
    override val holdValue = "?"
    override val ifKeyExistsSkip = "on duplicate key update reservation.id = reservation.id"
    override val ifKeyExistsReturn = ifKeyExistsSkip
    override fun numbers(max: Int) = "select seq from seq_1_to_$max"
    override fun inList(size: Int) = List(size) { "?" }.joinToString(prefix = "in (", postfix = ")")
    override val hasArrays = false
    override fun instant(row: ResultSet, column: String): Instant =
        row.getObject(column, LocalDateTime::class.java).toInstant(ZoneOffset.UTC)

    override fun value(instant: Instant): Any = LocalDateTime.ofInstant(instant, ZoneOffset.UTC)
    override fun grant(session: Session, event: EventId, requests: List<SeatRequest>) = session.grantByRule(event, requests)
}
