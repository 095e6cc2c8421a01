package threadgauge.tickets.service.store

import java.sql.ResultSet
import java.time.Instant
import java.time.LocalDateTime
import java.time.OffsetDateTime
import java.time.ZoneOffset
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.service.StartupError

/** What differs between databases. All common SQL is in [SqlLedger] and the functions beside it. */
sealed interface Dialect {
    /** Prefix of the JDBC URL. */
    val scheme: String

    /** Location of the migrations. */
    val migrations: String

    /** [jdbc] as the driver takes it. */
    fun driverUrl(jdbc: String): String = jdbc

    /** Executed once per connection. Rolls back transactions that are idle for [idleTimeoutSeconds]. */
    fun initSql(idleTimeoutSeconds: Long): String

    /** Properties of the driver. */
    val driverSettings: Map<String, String>

    /** Settings without which a commit may be lost, with their safe values, the default first. */
    val durable: Map<String, Set<String>>

    /** Query for the SQL mode of a session, which must reject values that do not fit; null where they always are. */
    val modeQuery: String?

    /** Whether an insert can return the row, as `insert … returning`. */
    val hasReturning: Boolean

    /** What is said about a database of this kind at each start; null where the tests know it. */
    val warning: String? get() = null

    /** Query for the value of such a setting. */
    fun settingQuery(setting: String): String

    /** The time of evaluation, not that of the begin of the transaction. */
    val clock: String

    /** The time at which the statement or its transaction began: the same throughout a statement. */
    val statementTime: String

    /** Of an event `e`: the length of a hold in seconds. */
    val holdSeconds: String

    /** Of an event `e`: the end of a hold that begins now. */
    val holdEnd: String

    /** A parameter in seconds, as the length of a hold. */
    val holdValue: String

    /** If the key of an inserted reservation is known: writes nothing, and may or may not return the existing row. */
    val ifKeyExistsSkip: String

    /** If the key of an inserted reservation is known: writes nothing, and returns the existing row. */
    val ifKeyExistsReturn: String

    /** Query for the numbers from 1 to [max], in one column. */
    fun numbers(max: Int): String

    /** The condition "is in a list of [size] values". */
    fun inList(size: Int): String

    /** Whether a whole list is one parameter. */
    val hasArrays: Boolean

    fun instant(row: ResultSet, column: String): Instant

    /** A parameter value that the driver passes on without converting time zones. */
    fun value(instant: Instant): Any

    /** Grants [requests] for [event] in their order, in the session's transaction, by the rule of the core. */
    fun grant(session: Session, event: EventId, requests: List<SeatRequest>): List<Answer>

    companion object {
        /** Lazy, because the first dialect in use initializes this, before it exists itself. */
        private val ALL by lazy { listOf(Postgres, Maria, Mysql) }

        /** Throws [StartupError] for an unsupported database. */
        fun of(jdbc: String): Dialect = ALL.firstOrNull { jdbc.startsWith(it.scheme) } ?: throw StartupError(
            "the ledger cannot be kept in ${jdbc.substringBefore('?')}",
            "Let tickets.database.url begin with ${ALL.joinToString(" or ") { it.scheme }}.",
        )
    }
}

/** PostgreSQL 13 and later. */
internal data object Postgres : Dialect {
    override val scheme = "jdbc:postgresql:"
    override val migrations = "classpath:db/postgresql"

    /**
     * All rows are found by their keys, so scans are disabled. Before the first analysis of the tables the planner
     * takes them for nearly empty, and would read all of them for each batch (`PostgresLedgerContract`).
     */
    override fun initSql(idleTimeoutSeconds: Long) =
        "set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off; " +
            "set idle_in_transaction_session_timeout = '${idleTimeoutSeconds}s'"

    /** Statements are prepared on the server at first use, because there are few. Times are in seconds. */
    override val driverSettings = mapOf("tcpKeepAlive" to "true", "socketTimeout" to "10", "prepareThreshold" to "1")

    /** PostgreSQL manual, chapters 28.1 and 28.3 of version 17. */
    override val durable = mapOf(
        "fsync" to setOf("on"),
        "full_page_writes" to setOf("on"),
        "synchronous_commit" to setOf("on", "local", "remote_write", "remote_apply"),
    )

    override val modeQuery = null
    override val hasReturning = true
    override fun settingQuery(setting: String) = "show $setting"
    override val clock = "clock_timestamp()"
    override val statementTime = "now()"
    override val holdSeconds = "extract(epoch from e.hold)"
    override val holdEnd = "clock_timestamp() + e.hold"
    override val holdValue = "make_interval(secs => ?)"
    override val ifKeyExistsSkip = "on conflict (idempotency_key) do nothing"
    override val ifKeyExistsReturn =
        "on conflict (idempotency_key) do update set idempotency_key = excluded.idempotency_key"

    override fun numbers(max: Int) = "select n from generate_series(1, $max) n"
    override fun inList(size: Int) = "= any(?)"
    override val hasArrays = true
    override fun instant(row: ResultSet, column: String): Instant =
        row.getObject(column, OffsetDateTime::class.java).toInstant()

    override fun value(instant: Instant): Any = instant.atOffset(ZoneOffset.UTC)
    override fun grant(session: Session, event: EventId, requests: List<SeatRequest>) =
        session.grantByFunction(event, requests)
}

/** MariaDB 10.7 and later. */
internal data object Maria : Dialect {
    private const val BINLOG = "sync_binlog"
    override val scheme = "jdbc:mariadb:"
    override val migrations = "classpath:db/mariadb"

    /** Times are in UTC. A wait for a lock times out early enough for a retry within the request's timeout. */
    override fun initSql(idleTimeoutSeconds: Long) =
        "set session time_zone = '+00:00', innodb_lock_wait_timeout = 2, " +
            "idle_transaction_timeout = $idleTimeoutSeconds, " +
            "sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,ERROR_FOR_DIVISION_BY_ZERO'"

    /** As for PostgreSQL, but the time is in milliseconds. */
    override val driverSettings =
        mapOf("tcpKeepAlive" to "true", "socketTimeout" to "10000", "useServerPrepStmts" to "true")

    /**
     * MariaDB documentation, "InnoDB System Variables" and "Group Commit for the Binary Log". With a binary log, that
     * log decides what is committed.
     */
    override val durable = mapOf(
        "innodb_flush_log_at_trx_commit" to setOf("1", "3"),
        "innodb_doublewrite" to setOf("ON", "1"),
        BINLOG to setOf("1"),
    )

    override val modeQuery = "select @@session.sql_mode"
    override val hasReturning = true
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
    override fun grant(session: Session, event: EventId, requests: List<SeatRequest>) =
        session.grantByRule(event, requests)
}
