package threadgauge.server.database

import java.nio.file.Files
import java.nio.file.Path

/** The command line: which database to start. */
internal sealed interface DatabaseOptions {
    val description: String

    fun open(): Database

    /** `--database=h2 --folder=…` */
    data class H2(val folder: Path) : DatabaseOptions {
        override val description get() = "H2 in $folder"
        override fun open() = H2File.make(folder)
    }

    /**
     * `--database=postgresql --folder=…`, by default on a free port, `--port=…`. It has articles unless
     * `--articles=none` is given.
     */
    data class Postgresql(val folder: Path, val port: Int, val hasArticles: Boolean = true) : DatabaseOptions {
        override val description get() = "PostgreSQL in $folder"
        override fun open() = PostgresServer.start(folder, port, hasArticles)
    }

    /** `--database=redis --folder=…`, by default on a free port, `--port=…`. It has no articles. */
    data class Redis(val folder: Path, val port: Int) : DatabaseOptions {
        override val description get() = "Redis in $folder"
        override fun open() = RedisServer.start(folder, port)
    }

    /** `--database=mariadb --folder=…`, by default on a free port, `--port=…`. It has no articles. */
    data class Mariadb(val folder: Path, val port: Int) : DatabaseOptions {
        override val description get() = "MariaDB in $folder"
        override fun open() = MariaServer.start(folder, port)
    }

    /**
     * `--address=jdbc:postgresql://… --user=…`: a database that runs already. Its password is in the environment,
     * [PASSWORD], where other users cannot read it.
     */
    data class Running(val access: Access) : DatabaseOptions {
        override val description get() = access.jdbc
        override fun open() = RunningDatabase.use(access)
    }

    companion object {
        /** Throws [IllegalArgumentException] with a message for the user. */
        fun read(arguments: List<String>, environment: Map<String, String> = System.getenv()): DatabaseOptions {
            val given = arguments.associate { argument ->
                require(argument.substringBefore('=') in KNOWN && '=' in argument) {
                    "$argument is not an option; there are ${KNOWN.joinToString { "$it=…" }}"
                }
                argument.substringBefore('=') to argument.substringAfter('=')
            }
            given["--address"]?.let { return running(it, given["--user"].orEmpty(), environment[PASSWORD].orEmpty()) }
            val folder = given["--folder"]?.let(Path::of)
            require(folder != null && Files.isDirectory(folder)) { "--folder= must name an existing, empty folder" }
            return when (val name = given["--database"]) {
                "h2" -> H2(folder)
                "postgresql" -> Postgresql(folder, port(given["--port"]), hasArticles(given["--articles"]))
                "redis" -> Redis(folder, port(given["--port"]))
                "mariadb" -> Mariadb(folder, port(given["--port"]))
                else -> throw IllegalArgumentException(
                    "--database= must be h2, postgresql, mariadb or redis, not ${name ?: "missing"}",
                )
            }
        }

        private fun hasArticles(text: String?): Boolean {
            require(text == null || text == "none") { "--articles= accepts only none" }
            return text == null
        }

        private fun port(text: String?): Int {
            val port = if (text.isNullOrEmpty()) 0 else text.toIntOrNull()
            require(port != null && port in 0..MAX_PORT) { "--port= must be a whole number from 0 to $MAX_PORT" }
            return port
        }

        private fun running(address: String, user: String, password: String): DatabaseOptions {
            require(address.startsWith(POSTGRESQL) && ' ' !in address) { "--address= must begin with $POSTGRESQL" }
            // Parameters after the question mark are for the JDBC driver alone.
            val r2dbc = "r2dbc:postgresql://" + address.removePrefix(POSTGRESQL).substringBefore('?')
            return Running(Access(address, r2dbc, user, password))
        }

        private val KNOWN = listOf("--database", "--folder", "--port", "--articles", "--address", "--user")
        private const val PASSWORD = "THREADGAUGE_PASSWORD"
        private const val POSTGRESQL = "jdbc:postgresql://"
        private const val MAX_PORT = 65_535
    }
}
