package threadgauge.server.database

import java.nio.file.Files
import java.nio.file.Path

/** Which database is wanted. */
internal sealed interface Order {
    val words: String

    fun open(): Database

    /** `--database=h2 --folder=…` */
    data class H2(val folder: Path) : Order {
        override val words get() = "H2 in $folder"
        override fun open() = H2File.make(folder)
    }

    /** `--database=postgresql --folder=…`, with `--port=…` or on a free one, and with `--articles=none` if it is for something else. */
    data class Postgresql(val folder: Path, val port: Int, val hasArticles: Boolean = true) : Order {
        override val words get() = "PostgreSQL in $folder"
        override fun open() = PostgresServer.start(folder, port, hasArticles)
    }

    /** `--database=redis --folder=…`, with `--port=…` or on a free one. It never has articles. */
    data class Redis(val folder: Path, val port: Int) : Order {
        override val words get() = "Redis in $folder"
        override fun open() = RedisServer.start(folder, port)
    }

    /** `--database=mariadb --folder=…`, with `--port=…` or on a free one. It never has articles. */
    data class Mariadb(val folder: Path, val port: Int) : Order {
        override val words get() = "MariaDB in $folder"
        override fun open() = MariaServer.start(folder, port)
    }

    /** `--address=jdbc:postgresql://… --user=…`: a database that somebody else runs. Its password is in [PASSWORD], out of sight. */
    data class Running(val access: Access) : Order {
        override val words get() = access.jdbc
        override fun open() = RunningDatabase.use(access)
    }

    companion object {
        /** Throws [IllegalArgumentException] with words for the user. */
        fun read(arguments: List<String>, environment: Map<String, String> = System.getenv()): Order {
            val given = arguments.associate { word ->
                require(word.substringBefore('=') in KNOWN && '=' in word) {
                    "$word is not known; there are ${KNOWN.joinToString { "$it=…" }}"
                }
                word.substringBefore('=') to word.substringAfter('=')
            }
            given["--address"]?.let { return running(it, given["--user"].orEmpty(), environment[PASSWORD].orEmpty()) }
            val folder = given["--folder"]?.let(Path::of)
            require(folder != null && Files.isDirectory(folder)) { "--folder= must name a folder that is there, and empty" }
            return when (val name = given["--database"]) {
                "h2" -> H2(folder)
                "postgresql" -> Postgresql(folder, port(given["--port"]), hasArticles(given["--articles"]))
                "redis" -> Redis(folder, port(given["--port"]))
                "mariadb" -> Mariadb(folder, port(given["--port"]))
                else -> throw IllegalArgumentException("--database= must be h2, postgresql, mariadb or redis, not ${name ?: "missing"}")
            }
        }

        private fun hasArticles(text: String?): Boolean {
            require(text == null || text == "none") { "--articles= can only be none" }
            return text == null
        }

        private fun port(text: String?): Int {
            val port = if (text.isNullOrEmpty()) 0 else text.toIntOrNull()
            require(port != null && port in 0..MAX_PORT) { "--port= must be a whole number from 0 to $MAX_PORT" }
            return port
        }

        private fun running(address: String, user: String, password: String): Order {
            require(address.startsWith(POSTGRESQL) && ' ' !in address) { "--address= must begin with $POSTGRESQL" }
            // Parameters after the question mark are the JDBC driver's own.
            val r2dbc = "r2dbc:postgresql://" + address.removePrefix(POSTGRESQL).substringBefore('?')
            return Running(Access(address, r2dbc, user, password))
        }

        private val KNOWN = listOf("--database", "--folder", "--port", "--articles", "--address", "--user")
        private const val PASSWORD = "THREADGAUGE_PASSWORD"
        private const val POSTGRESQL = "jdbc:postgresql://"
        private const val MAX_PORT = 65_535
    }
}
