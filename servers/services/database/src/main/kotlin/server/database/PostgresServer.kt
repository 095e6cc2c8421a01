package threadgauge.server.database

import java.nio.file.Files
import java.nio.file.Path
import java.sql.Connection
import java.sql.SQLException

/**
 * A PostgreSQL of our own, with the settings that it ships with: data is durable, one password, reached at 127.0.0.1 alone.
 * With the articles it counts statements besides, the same for every stack; see [StatementCounter].
 * It ends with this process, however that ends; see [Owned].
 */
internal class PostgresServer private constructor(
    private val server: Owned,
    private val counter: StatementCounter?,
    private val access: Access,
    override val settings: Map<String, String>,
) : Database {
    override val readyLine get() = access.readyLine

    override fun awaitEnd(): Int {
        server.awaitEnd()
        return EXIT_ENDED
    }

    override fun close() {
        runCatching { counter?.close() }
        server.close()
    }

    companion object {
        /** In [folder], which must be empty, on [port]; 0 finds a free one. */
        fun start(folder: Path, port: Int, hasArticles: Boolean): PostgresServer {
            val programs = unpackedPostgres(folder)
            val data = folder.resolve("data")
            val password = newPassword()
            initialise(programs, data, password)
            val chosen = chosenPort(port)
            val place = "postgresql://127.0.0.1:$chosen/postgres"
            val access = Access("jdbc:$place", "r2dbc:$place", USER, password)
            // No socket file: its path may be longer than the system allows.
            val options = listOf("-D", "$data", "-p", "$chosen", "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=") +
                (if (hasArticles) StatementCounter.SETTINGS.flatMap { listOf("-c", it) } else emptyList())
            val server = Owned.start(notAsRoot(folder) + "${programs.resolve("postgres")}" + options)
            try {
                val connection = awaitConnection(server, access)
                if (!hasArticles) return PostgresServer(server, null, access, connection.use(::postgresSettings))
                seedByCopy(connection)
                val settings = postgresSettings(connection) + ("statements counted by" to "pg_stat_statements")
                val counter = StatementCounter.on(connection)
                return PostgresServer(server, counter, access.copy(statements = counter.endpoint), settings)
            } catch (failure: Exception) {
                server.close()
                throw failure
            }
        }

        private fun initialise(programs: Path, data: Path, password: String) {
            val secret = Files.createTempFile(data.parent, "password", "")
            try {
                Files.writeString(secret, password)
                val command = notAsRoot(data.parent) + "${programs.resolve("initdb")}" +
                    listOf("-D", "$data", "-U", USER, "--pwfile=$secret", "--auth=scram-sha-256", "-E", "UTF8", "--no-locale")
                val process = ProcessBuilder(command).redirectErrorStream(true).start()
                val output = process.inputStream.readAllBytes().decodeToString()
                check(process.waitFor() == 0) { "initdb failed:\n$output" }
            } finally {
                Files.delete(secret)
            }
        }

        private fun awaitConnection(server: Owned, access: Access): Connection {
            val end = System.nanoTime() + MAX_START_NANOS
            while (true) {
                try {
                    return connect(access)
                } catch (refused: SQLException) {
                    check(server.isAlive) { "postgres ended before it could be asked; it said why above" }
                    if (System.nanoTime() > end) throw refused
                    Thread.sleep(POLL_MILLIS)
                }
            }
        }

        private const val USER = "threadgauge"
        private const val EXIT_ENDED = 70
        private const val MAX_START_NANOS = 60_000_000_000L
        private const val POLL_MILLIS = 50L
    }
}
