package threadgauge.server.database

import java.nio.file.Files
import java.nio.file.Path
import java.time.Duration

/**
 * A MariaDB of our own, empty, with one user and one password, reached at 127.0.0.1 alone, that writes every commit to the disk before it
 * answers. Its program comes with the module `servers/services/mariadb`; without that on the class path there is none. It ends with this process,
 * however that ends; see [Owned].
 */
internal class MariaServer private constructor(private val server: Owned, access: Access) : Database {
    override val readyLine = access.readyLine
    override val settings = DURABLE

    override fun awaitEnd(): Int {
        server.awaitEnd()
        return EXIT_ENDED
    }

    override fun close() = server.close()

    companion object {
        /** In [folder], which must be empty, on [port]; 0 finds a free one. */
        fun start(folder: Path, port: Int): MariaServer {
            val home = unpackedMaria(folder)
            val data = Files.createDirectory(folder.resolve("data"))
            val common = listOf("${home.resolve("bin/mariadbd")}", "--no-defaults", "--basedir=$home", "--datadir=$data") +
                "--lc-messages-dir=${home.resolve("share")}" + asRoot(folder)
            initialise(common, home, folder.resolve("initialise.log"))
            val password = newPassword()
            val chosen = chosenPort(port)
            val place = "mariadb://127.0.0.1:$chosen/$NAME"
            val access = Access("jdbc:$place", "r2dbc:$place", USER, password)
            val welcome = Files.writeString(folder.resolve("welcome.sql"), welcome(password))
            val options = listOf("--port=$chosen", "--bind-address=127.0.0.1") +
                listOf("--socket=", "--init-file=$welcome", "--skip-log-bin", "--skip-name-resolve", "--innodb-log-file-size=256M") +
                DURABLE.map { (name, value) -> "--$name=$value" }
            val server = Owned.start(common + options, stop = "TERM")
            try {
                // It speaks first, once it has done what the file of the beginning says.
                awaitAnswer(server, "mariadbd", chosen, MAX_START) { it.inputStream.read() >= 0 }
            } catch (failure: Exception) {
                server.close()
                throw failure
            } finally {
                Files.delete(welcome)
            }
            return MariaServer(server, access)
        }

        /** The tables of the server's own, by its own scripts. */
        private fun initialise(common: List<String>, home: Path, log: Path) {
            val process = ProcessBuilder(common + listOf("--bootstrap", "--skip-grant-tables", "--innodb-log-file-size=256M") + HASTY)
                .redirectErrorStream(true).redirectOutput(log.toFile()).start()
            process.outputStream.bufferedWriter().use { input ->
                input.write("create database if not exists mysql;\nuse mysql;\n")
                for (script in SCRIPTS) input.write(Files.readString(home.resolve("share/$script")))
            }
            check(process.waitFor() == 0) { "MariaDB could not be initialised:\n${Files.readString(log)}" }
        }

        /** One statement a line: so the server wants it. */
        private fun welcome(password: String) = """
            create database $NAME character set utf8mb4;
            create user '$USER'@'127.0.0.1' identified by '$password';
            grant all on *.* to '$USER'@'127.0.0.1';
            delete from mysql.global_priv where user <> '$USER' and user not like 'mariadb.%';
            flush privileges;
        """.trimIndent() + "\n"

        /** A server of root's says so, or refuses to start. */
        private fun asRoot(folder: Path) = if (Files.getAttribute(folder, "unix:uid") == 0) listOf("--user=root") else emptyList()

        private val SCRIPTS = listOf("mariadb_system_tables.sql", "mariadb_performance_tables.sql", "mariadb_system_tables_data.sql")

        /** Nobody misses a beginning that a crash takes away. */
        private val HASTY = listOf("--innodb-flush-log-at-trx-commit=0", "--skip-innodb-doublewrite", "--innodb-flush-method=nosync")
        private val DURABLE = mapOf("innodb_flush_log_at_trx_commit" to "1", "innodb_doublewrite" to "ON")
        private const val USER = "threadgauge"
        private const val NAME = "books"
        private val MAX_START = Duration.ofSeconds(120)
        private const val EXIT_ENDED = 70
    }
}
