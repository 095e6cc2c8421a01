package threadgauge.server.database

import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.PosixFilePermissions
import java.sql.Connection
import java.sql.SQLException

/**
 * A PostgreSQL with its default settings: durable, one password, on 127.0.0.1 alone. With the articles it also counts
 * statements, equally for every stack; see [StatementCounter]. It ends with this process, see [OwnedProcess].
 */
internal class PostgresServer private constructor(
    private val server: OwnedProcess,
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
        /** In [folder], which must be empty, on [port]; 0 means a free one. */
        fun start(folder: Path, port: Int, hasArticles: Boolean): PostgresServer {
            val programs = unpackedPostgres(folder)
            val data = folder.resolve("data")
            val password = newPassword()
            initialise(programs, data, password)
            val chosen = chosenPort(port)
            writePasswordFile(folder, chosen, password)
            val address = "postgresql://127.0.0.1:$chosen/postgres"
            val access = Access("jdbc:$address", "r2dbc:$address", USER, password)
            // Without a socket file, whose path may be longer than the system allows.
            val settings = listOf("listen_addresses=127.0.0.1", "unix_socket_directories=") +
                (if (hasArticles) StatementCounter.SETTINGS else emptyList())
            val options = listOf("-D", "$data", "-p", "$chosen") + settings.flatMap { listOf("-c", it) }
            val server = OwnedProcess.start(notAsRoot(folder) + "${programs.resolve("postgres")}" + options)
            try {
                val connection = awaitConnection(server, access)
                if (!hasArticles) return PostgresServer(server, null, access, connection.use(::postgresSettings))
                seedByCopy(connection)
                val effective = postgresSettings(connection) + ("statements counted by" to "pg_stat_statements")
                val counter = StatementCounter.on(connection)
                return PostgresServer(server, counter, access.copy(statements = counter.endpoint), effective)
            } catch (failure: Exception) {
                server.close()
                throw failure
            }
        }

        private fun initialise(programs: Path, data: Path, password: String) {
            val secret = Files.createTempFile(data.parent, "password", "")
            try {
                Files.writeString(secret, password)
                val command = notAsRoot(data.parent) + listOf(
                    "${programs.resolve("initdb")}", "-D", "$data", "-U", USER, "--pwfile=$secret",
                    "--auth=scram-sha-256", "-E", "UTF8", "--no-locale",
                )
                val process = ProcessBuilder(command).redirectErrorStream(true).start()
                val output = process.inputStream.readAllBytes().decodeToString()
                check(process.waitFor() == 0) { "initdb failed:\n$output" }
            } finally {
                Files.delete(secret)
            }
        }

        /** For clients that cannot read the ready line: PGPASSFILE names this file, for libpq and for Java's driver. */
        private fun writePasswordFile(folder: Path, port: Int, password: String) {
            val onlyOwner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
            val file = Files.createFile(folder.resolve("pgpass"), onlyOwner)
            Files.writeString(file, "127.0.0.1:$port:*:$USER:$password\n")
        }

        private fun awaitConnection(server: OwnedProcess, access: Access): Connection {
            val end = System.nanoTime() + MAX_START_NANOS
            while (true) {
                try {
                    return connect(access)
                } catch (refused: SQLException) {
                    check(server.isAlive) { "postgres ended before it was ready; its output is above" }
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
