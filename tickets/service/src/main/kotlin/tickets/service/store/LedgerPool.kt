package threadgauge.tickets.service.store

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import javax.sql.DataSource
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import org.flywaydb.core.Flyway
import org.flywaydb.core.api.FlywayException
import threadgauge.tickets.service.StartupError

/** The database that keeps the ledger. */
data class LedgerAddress(
    val jdbc: String,
    val user: String,
    val password: String,
    /**
     * The database rolls back a transaction that is idle for this long. Otherwise a service that is paused in the
     * middle of one, for example by the system, would block its event for all others while its connection is open. By
     * then the requests in the transaction have timed out.
     */
    val idleTimeout: Duration = 5.seconds,
) {
    /** At least 1: databases accept whole seconds here, and zero means no limit. */
    internal val idleTimeoutSeconds get() = idleTimeout.inWholeSeconds.coerceAtLeast(1)

    /** Without the parameters after the database's name, which may contain a secret. */
    override fun toString() = "the database at ${jdbc.substringBefore('?')}"
}

/** Connections to the ledger, without autocommit, and the SQL dialect of its database. */
class LedgerPool internal constructor(source: DataSource, internal val dialect: Dialect, private val end: () -> Unit) :
    DataSource by source, AutoCloseable {
    /** The same ledger behind another [source]. */
    fun behind(source: DataSource) = LedgerPool(source, dialect) {}

    override fun close() = end()
}

/**
 * Migrates the ledger at [address] and opens connections to it. A few are enough: one for the writer and one for the
 * reader of each event on sale. Throws [StartupError] if the database does not answer, or may lose what it has
 * committed.
 */
fun openPool(address: LedgerAddress, connections: Int = 8): LedgerPool {
    val dialect = Dialect.of(address.jdbc)
    try {
        val flyway = Flyway.configure().dataSource(dialect.driverUrl(address.jdbc), address.user, address.password)
        flyway.locations(dialect.migrations).load().migrate()
    } catch (failed: FlywayException) {
        val why = generateSequence<Throwable>(failed) { it.cause }.last().message
        val remedy = "Check that the database runs, and tickets.database.url, .user and .password."
        throw StartupError("$address cannot be used: $why", remedy, failed)
    }
    val pool = openExtraPool(address, connections, "ledger")
    try {
        pool.connection.use { it.checkAtStart(dialect) }
    } catch (unsafe: Exception) {
        pool.close()
        throw unsafe
    }
    return pool
}

/** Opens more connections to a ledger that [openPool] has migrated. [name] appears in the log and the metrics. */
fun openExtraPool(address: LedgerAddress, connections: Int, name: String): LedgerPool {
    val dialect = Dialect.of(address.jdbc)
    val pool = HikariDataSource(
        HikariConfig().apply {
            jdbcUrl = dialect.driverUrl(address.jdbc)
            username = address.user
            password = address.password
            maximumPoolSize = connections
            minimumIdle = connections
            isAutoCommit = false
            poolName = name
            // A statement must see what others committed while the one before it waited for its lock.
            transactionIsolation = "TRANSACTION_READ_COMMITTED"
            // Below the timeout of a request, which is seconds long, so that there is time for a retry.
            connectionTimeout = 2_000
            connectionInitSql = dialect.initSql(address.idleTimeoutSeconds)
            // In a transaction of its own, so that a rollback of the first caller does not undo it.
            isIsolateInternalQueries = true
            dialect.driverSettings.forEach(::addDataSourceProperty)
        },
    )
    return LedgerPool(pool, dialect, pool::close)
}
