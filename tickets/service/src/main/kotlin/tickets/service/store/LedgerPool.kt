package threadgauge.tickets.service.store

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import org.flywaydb.core.Flyway
import org.flywaydb.core.api.FlywayException
import java.sql.Connection
import javax.sql.DataSource
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * Where the books are, and how patient their service's callers are: so long a transaction may say nothing. A service that is stopped in
 * the middle of one, as by the system or for want of memory, would else keep its event from all others for as long as its connection stays
 * open; by then its own callers have been told that nobody knows.
 */
data class LedgerAddress(val jdbc: String, val user: String, val password: String, val patience: Duration = 5.seconds) {
    /** Databases count whole seconds here, and zero is no limit to them. */
    internal val idleTimeoutSeconds get() = patience.inWholeSeconds.coerceAtLeast(1)

    /** Without what comes after the database's name, which may be a secret. */
    override fun toString() = "the database at ${jdbc.substringBefore('?')}"
}

/** No sale can be kept in this database. */
class StartupError(override val message: String, val remedy: String, cause: Throwable? = null) : RuntimeException(message, cause)

/** Connections to the books, which do not commit by themselves, and the words in which they are spoken to. */
class LedgerPool internal constructor(source: DataSource, internal val dialect: Dialect, private val end: () -> Unit) :
    DataSource by source, AutoCloseable {
    /** The same books behind another [source]. */
    fun behind(source: DataSource) = LedgerPool(source, dialect) {}

    override fun close() = end()
}

/**
 * Connections to the books at [address], after the tables are as they must be. A few are enough: one writer and one reader for each event
 * that is on sale. Throws [StartupError] where the database does not answer, or does not keep what it commits.
 */
fun openPool(address: LedgerAddress, connections: Int = 8): LedgerPool {
    val dialect = Dialect.of(address.jdbc)
    try {
        Flyway.configure().dataSource(address.jdbc, address.user, address.password).locations(dialect.migrations).load().migrate()
    } catch (failed: FlywayException) {
        val why = generateSequence<Throwable>(failed) { it.cause }.last().message
        val remedy = "See that the database runs, and look at tickets.database.url, .user and .password."
        throw StartupError("$address cannot be used: $why", remedy, failed)
    }
    val pool = openExtraPool(address, connections, "books")
    try {
        pool.connection.use { it.requireDurability(dialect) }
    } catch (unsafe: Exception) {
        pool.close()
        throw unsafe
    }
    return pool
}

/** More connections to books for which [openPool] was called before; their [name] is for the log and the metrics. */
fun openExtraPool(address: LedgerAddress, connections: Int, name: String): LedgerPool {
    val dialect = Dialect.of(address.jdbc)
    val pool = HikariDataSource(
        HikariConfig().apply {
            jdbcUrl = address.jdbc
            username = address.user
            password = address.password
            maximumPoolSize = connections
            minimumIdle = connections
            isAutoCommit = false
            poolName = name
            // What was committed while a statement waited for its lock must be seen by the next one.
            transactionIsolation = "TRANSACTION_READ_COMMITTED"
            // The service's own patience is seconds long and tries again within it.
            connectionTimeout = 2_000
            connectionInitSql = dialect.initSql(address.idleTimeoutSeconds)
            // In a transaction of its own, so that it is not taken back with the first one of a caller.
            isIsolateInternalQueries = true
            dialect.driverSettings.forEach(::addDataSourceProperty)
        },
    )
    return LedgerPool(pool, dialect, pool::close)
}

private fun Connection.requireDurability(dialect: Dialect) {
    for ((setting, safe) in dialect.durable) {
        val value = createStatement().use { it.executeQuery(dialect.settingQuery(setting)).use { row -> row.next(); row.getString(1) } }
        if (value !in safe) {
            throw StartupError(
                "the database has $setting = $value, so a crash could take back what callers were told",
                "Set $setting to ${safe.first()}, for the database or in the address.",
            )
        }
    }
    commit()
}
