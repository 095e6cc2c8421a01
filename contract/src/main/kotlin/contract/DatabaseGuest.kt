package threadgauge.contract

import java.net.URI
import java.security.SecureRandom
import java.sql.DriverManager
import java.util.HexFormat

/**
 * A user of the shared PostgreSQL for one stack alone, who may read the articles until that is taken from him: so its database fails one
 * stack and no other. [places] are what the database gave, by name. Needs the driver of whoever runs the tests.
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
        asOwner("GRANT SELECT ON article TO $name")
    }

    /** Runs [during] while every query of the guest's fails. */
    fun failing(during: () -> Unit) {
        asOwner("REVOKE SELECT ON article FROM $name")
        try {
            during()
        } finally {
            asOwner("GRANT SELECT ON article TO $name")
        }
    }

    /** One at a time, whichever process asks: PostgreSQL refuses to change who may read a table while another does. */
    private fun asOwner(statement: String) =
        DriverManager.getConnection(places.getValue("jdbc"), places.getValue("user"), places.getValue("password")).use { connection ->
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
