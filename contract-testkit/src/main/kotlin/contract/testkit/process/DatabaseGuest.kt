package threadgauge.contract.testkit.process

import java.net.URI
import java.security.SecureRandom
import java.sql.Connection
import java.sql.DriverManager
import java.util.HexFormat

/**
 * A user of the shared PostgreSQL for one stack alone, who sees the articles through a gate of its own: so its database fails one stack, or
 * keeps it waiting, and no other. [places] are what the database gave, by name. Needs the driver of whoever runs the tests.
 */
internal class DatabaseGuest(private val places: Map<String, String>) {
    private val name = "guest_" + secret(4)
    private val password = secret(16)

    /** What the database gave, with this user in place of its own. */
    val placesOfGuest get() = places + mapOf("user" to name, "password" to password)

    /** Where the database counts what this user asked, whoever else asks meanwhile. */
    val statements get() = URI("${places.getValue("statements")}?of=$name")

    init {
        asOwner("CREATE ROLE $name LOGIN PASSWORD '$password'")
        // A view by the name of the table, found before it.
        asOwner("CREATE SCHEMA $name")
        asOwner("CREATE TABLE $name.gate (shut boolean)")
        asOwner("CREATE VIEW $name.article AS SELECT author, body, id, title FROM public.article WHERE NOT EXISTS (SELECT FROM $name.gate)")
        asOwner("GRANT USAGE ON SCHEMA $name TO $name")
        asOwner("GRANT SELECT ON $name.article TO $name")
        asOwner("ALTER ROLE $name SET search_path = $name")
    }

    /** Runs [during] while every query of the guest's fails. */
    fun failing(during: () -> Unit) {
        asOwner("REVOKE SELECT ON $name.article FROM $name")
        try {
            during()
        } finally {
            asOwner("GRANT SELECT ON $name.article TO $name")
        }
    }

    /** Runs [during] while every query of the guest's waits. It is given what tells how many wait, by the name of their driver. */
    fun waiting(during: (waiting: () -> Map<String, Int>) -> Unit) = connect().use { gate ->
        gate.autoCommit = false
        gate.createStatement().use { it.execute("LOCK TABLE $name.gate IN ACCESS EXCLUSIVE MODE") }
        try {
            connect().use { other -> during { driversThatWait(other) } }
        } finally {
            gate.rollback()
        }
    }

    private fun driversThatWait(connection: Connection) = connection.createStatement().use { statement ->
        val rows = statement.executeQuery(
            "SELECT application_name, count(*) FROM pg_stat_activity WHERE usename = '$name' AND wait_event_type = 'Lock' GROUP BY 1",
        )
        buildMap { while (rows.next()) put(rows.getString(1), rows.getInt(2)) }
    }

    private fun connect() =
        DriverManager.getConnection(places.getValue("jdbc"), places.getValue("user"), places.getValue("password"))

    /** One at a time, whichever process asks: PostgreSQL refuses to change who may read a table while another does. */
    private fun asOwner(statement: String) =
        connect().use { connection ->
            connection.autoCommit = false
            connection.createStatement().use {
                it.execute("SELECT pg_advisory_xact_lock($TURN)")
                it.execute(statement)
            }
            connection.commit()
        }

    private fun secret(bytes: Int): String = HexFormat.of().formatHex(ByteArray(bytes).also(SecureRandom()::nextBytes))

    private companion object {
        /** Any number, the same for all guests. */
        const val TURN = 7_301
    }
}
