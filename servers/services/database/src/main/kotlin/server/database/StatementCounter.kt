package threadgauge.server.database

import com.sun.net.httpserver.HttpExchange
import com.sun.net.httpserver.HttpServer
import java.net.InetAddress
import java.net.InetSocketAddress
import java.sql.Connection
import java.sql.SQLException

/**
 * Reports at [endpoint] how many statements PostgreSQL has executed, how many rows they returned, and how often each
 * SQL text was executed, so that extra statements of a stack are found without its own report. `BEGIN`, `COMMIT` and
 * settings are not counted: drivers and frameworks differ in them. `?of=` and a name restrict the counts to one user.
 *
 * Clients read the counts before a measurement and never during one. One thread serves, and owns [connection].
 */
internal class StatementCounter private constructor(private val connection: Connection) : AutoCloseable {
    private val server = HttpServer.create(InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0).apply {
        createContext("/statements", ::answer)
        start()
    }

    val endpoint: String get() = "http://127.0.0.1:${server.address.port}/statements"

    private fun answer(exchange: HttpExchange) = exchange.use {
        val (status, text) = try {
            200 to counts(exchange.requestURI.query?.substringAfter("of=", "")?.ifEmpty { null })
        } catch (failure: SQLException) {
            500 to "the statements cannot be counted: ${failure.message}"
        }
        val bytes = text.toByteArray()
        exchange.sendResponseHeaders(status, bytes.size.toLong())
        exchange.responseBody.write(bytes)
    }

    private fun counts(user: String?): String = connection.prepareStatement(COUNTS).use { statement ->
        statement.setString(1, user)
        statement.executeQuery().use { row ->
            val executions = StringBuilder()
            var statements = 0L
            var rows = 0L
            while (row.next()) {
                statements += row.getLong(1)
                rows += row.getLong(2)
                executions.append("executed ${row.getLong(1)} ${row.getString(3)}\n")
            }
            "statements $statements\nrows $rows\n$executions"
        }
    }

    override fun close() {
        server.stop(0)
        connection.close()
    }

    companion object {
        /**
         * Settings that the server must start with. It keeps 5,000 SQL texts and drops the rarest of more. A thousand
         * lengths of `IN` lists are one text since PostgreSQL 18.
         */
        val SETTINGS = listOf("shared_preload_libraries=pg_stat_statements", "pg_stat_statements.track_utility=off")

        /** On a server that has [SETTINGS]; takes over [connection]. */
        fun on(connection: Connection): StatementCounter {
            connection.createStatement().use { it.execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements") }
            return StatementCounter(connection)
        }

        /** Leaves out its own query. The same SQL may come from several databases and users. */
        private const val COUNTS =
            "SELECT sum(calls), sum(rows), regexp_replace(query, '\\s+', ' ', 'g') AS sql_text " +
                "FROM pg_stat_statements JOIN (SELECT ?::text AS wanted) AS chosen " +
                "ON wanted IS NULL OR userid = (SELECT oid FROM pg_roles WHERE rolname = wanted) " +
                "WHERE query NOT LIKE '%pg_stat_statements%' GROUP BY sql_text"
    }
}
