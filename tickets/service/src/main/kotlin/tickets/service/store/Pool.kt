package threadgauge.tickets.service.store

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import org.flywaydb.core.Flyway
import org.flywaydb.core.api.FlywayException
import java.sql.Connection

/** Where the books are. */
data class BooksAddress(val jdbc: String, val user: String, val password: String) {
    /** Without what comes after the database's name, which may be a secret. */
    override fun toString() = "the database at ${jdbc.substringBefore('?')}"
}

/** No sale can be kept in this database. */
class UnusableBooks(override val message: String, val remedy: String, cause: Throwable? = null) : RuntimeException(message, cause)

/**
 * Connections to the books at [address], after the tables are as they must be. A few are enough: one writer and one reader for each event
 * that is on sale, and what is asked at the desk. Throws [UnusableBooks] where the database does not answer, or does not keep what it
 * commits.
 */
fun openPool(address: BooksAddress, connections: Int = 8): HikariDataSource {
    try {
        Flyway.configure().dataSource(address.jdbc, address.user, address.password).locations("classpath:db/postgresql").load().migrate()
    } catch (failed: FlywayException) {
        val why = generateSequence<Throwable>(failed) { it.cause }.last().message
        val remedy = "See that the database runs, and look at tickets.database.url, .user and .password."
        throw UnusableBooks("$address cannot be used: $why", remedy, failed)
    }
    val pool = HikariDataSource(
        HikariConfig().apply {
            jdbcUrl = address.jdbc
            username = address.user
            password = address.password
            maximumPoolSize = connections
            minimumIdle = connections
            isAutoCommit = false
            poolName = "books"
            // The service's own patience is seconds long and tries again within it.
            connectionTimeout = 2_000
            addDataSourceProperty("tcpKeepAlive", "true")
            addDataSourceProperty("socketTimeout", "10")
            connectionInitSql = BY_KEYS
            // From the first time on prepared at the server: the same few statements are all there is.
            addDataSourceProperty("prepareThreshold", "1")
        },
    )
    try {
        pool.connection.use { it.mustBeDurable() }
    } catch (unsafe: Exception) {
        pool.close()
        throw unsafe
    }
    return pool
}

private fun Connection.mustBeDurable() {
    for ((setting, safe) in DURABLE) {
        val value = createStatement().use { it.executeQuery("show $setting").use { row -> row.next(); row.getString(1) } }
        if (value !in safe) {
            throw UnusableBooks(
                "the database has $setting = $value, so a crash could take back what callers were told",
                "Set $setting to ${safe.first()}, for the database or in the address.",
            )
        }
    }
    commit()
}

/**
 * Everything is asked for by its key. The planner would believe otherwise until the tables are analysed for the first time: on the first
 * day of a sale it takes them for nearly empty, and reads all of them for each batch (`PostgresStoreContract`).
 */
private const val BY_KEYS = "set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off"

/** Settings of PostgreSQL without which a commit may be lost (PostgreSQL manual, chapters 28.1 and 28.3 of version 17). */
private val DURABLE = mapOf(
    "fsync" to setOf("on"),
    "full_page_writes" to setOf("on"),
    "synchronous_commit" to setOf("on", "local", "remote_write", "remote_apply"),
)
