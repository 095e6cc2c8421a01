package threadgauge.contract.testkit.process

import java.net.URI
import java.security.SecureRandom
import java.sql.Connection
import java.sql.DriverManager
import java.util.HexFormat

/**
 * A user of the shared PostgreSQL for one stack alone. It reads the articles through a view of its own, so queries of
 * one stack can fail or block while those of other stacks succeed. [owner] are the endpoints of the database, by name.
 * Needs PostgreSQL's JDBC driver on the class path of the test.
 */
internal class IsolatedDatabaseUser(private val owner: Map<String, String>) {
    private val name = "guest_" + secret(4)
    private val password = secret(16)

    /** The endpoints of the database, with this user in place of the owner. */
    val endpoints get() = owner + mapOf("user" to name, "password" to password)

    /** Where the database counts the statements of this user alone. */
    val statements get() = URI("${owner.getValue("statements")}?of=$name")

    init {
        asOwner("CREATE ROLE $name LOGIN PASSWORD '$password'")
        // A view with the name of the table, which the search path puts before it.
        asOwner("CREATE SCHEMA $name")
        asOwner("CREATE TABLE $name.gate (shut boolean)")
        asOwner(
            "CREATE VIEW $name.article AS SELECT author, body, id, title FROM public.article " +
                "WHERE NOT EXISTS (SELECT FROM $name.gate)",
        )
        asOwner("GRANT USAGE ON SCHEMA $name TO $name")
        asOwner("GRANT SELECT ON $name.article TO $name")
        asOwner("ALTER ROLE $name SET search_path = $name")
    }

    /** Runs [during] while every query of this user fails. */
    fun failing(during: () -> Unit) {
        asOwner("REVOKE SELECT ON $name.article FROM $name")
        try {
            during()
        } finally {
            asOwner("GRANT SELECT ON $name.article TO $name")
        }
    }

    /** Runs [during] while every query of this user blocks. Its argument counts the blocked queries by driver. */
    fun blocking(during: (blocked: () -> Map<String, Int>) -> Unit) = connect().use { gate ->
        gate.autoCommit = false
        gate.createStatement().use { it.execute("LOCK TABLE $name.gate IN ACCESS EXCLUSIVE MODE") }
        try {
            connect().use { other -> during { blockedByDriver(other) } }
        } finally {
            gate.rollback()
        }
    }

    private fun blockedByDriver(connection: Connection) = connection.createStatement().use { statement ->
        val rows = statement.executeQuery(
            "SELECT application_name, count(*) FROM pg_stat_activity " +
                "WHERE usename = '$name' AND wait_event_type = 'Lock' GROUP BY 1",
        )
        buildMap { while (rows.next()) put(rows.getString(1), rows.getInt(2)) }
    }

    private fun connect() =
        DriverManager.getConnection(owner.getValue("jdbc"), owner.getValue("user"), owner.getValue("password"))

    /** One at a time in all processes: PostgreSQL rejects concurrent changes of a table's privileges. */
    private fun asOwner(statement: String) =
        connect().use { connection ->
            connection.autoCommit = false
            connection.createStatement().use {
                it.execute("SELECT pg_advisory_xact_lock($LOCK)")
                it.execute(statement)
            }
            connection.commit()
        }

    private fun secret(bytes: Int): String =
        HexFormat.of().formatHex(ByteArray(bytes).also(SecureRandom()::nextBytes))

    private companion object {
        /** Any number, the same for all users. */
        const val LOCK = 7_301
    }
}
