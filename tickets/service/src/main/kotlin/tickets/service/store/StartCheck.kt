package threadgauge.tickets.service.store

import java.sql.Connection
import org.slf4j.LoggerFactory
import threadgauge.tickets.service.StartupError

/**
 * Checks that the database keeps what the ledger relies on, and logs it: isolation, strictness and durability. Throws
 * [StartupError] for the first setting that is otherwise.
 */
internal fun Connection.checkAtStart(dialect: Dialect) {
    val relied = reliedOn(dialect, transactionIsolation) { query ->
        createStatement().use { statement ->
            statement.executeQuery(query).use { row -> if (row.next()) row.getString(1) else null }
        }
    }
    commit()
    LOG.info("The ledger relies on {}", relied.joinToString())
    dialect.warning?.let(LOG::warn)
}

/** As [checkAtStart], with the [isolation] of the session and what [read] returns for a query. */
internal fun reliedOn(dialect: Dialect, isolation: Int, read: (String) -> String?): List<String> {
    // A stricter level makes a transaction fail that has waited for its lock, or lets it see what was before.
    if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
        throw StartupError(
            "the database's isolation is not READ COMMITTED, so a request that has waited would not see what was sold",
            "Let nothing between the service and the database set the isolation of transactions.",
        )
    }
    val mode = dialect.modeQuery?.let { query ->
        read(query).orEmpty().also {
            if (it.split(',').none(STRICT::contains)) {
                throw StartupError(
                    "the database has sql_mode = '$it', so values that do not fit would be cut instead of rejected",
                    "Let nothing between the service and the database change sql_mode; it needs STRICT_ALL_TABLES.",
                )
            }
        }
    }
    val durable = dialect.durable.map { (setting, safe) ->
        val value = read(dialect.settingQuery(setting))
        if (value !in safe) {
            throw StartupError(
                "the database has $setting = $value, so a crash could undo reservations that were answered with 201",
                "Set $setting to ${safe.first()}, for the database or in its URL.",
            )
        }
        "$setting = $value"
    }
    return listOf("isolation = READ COMMITTED") + listOfNotNull(mode?.let { "sql_mode = $it" }) + durable
}

private val STRICT = setOf("STRICT_ALL_TABLES", "STRICT_TRANS_TABLES")
private val LOG = LoggerFactory.getLogger("threadgauge.tickets.ledger")!!
