package threadgauge.server.database

import java.nio.file.Files
import java.nio.file.Path
import java.time.Duration

/**
 * An empty MariaDB with one user and one password, on 127.0.0.1 alone. Every commit is durable before it is answered.
 * The module `servers/services/mariadb` brings the program; without it on the class path, the start fails. It ends with
 * this process, see [OwnedProcess].
 */
internal class MariaServer private constructor(private val server: OwnedProcess, access: Access) : Database {
    override val readyLine = access.readyLine
    override val settings = DURABLE

    override fun awaitEnd(): Int {
        server.awaitEnd()
        return EXIT_ENDED
    }

    override fun close() = server.close()

    companion object {
        /** In [folder], which must be empty, on [port]; 0 means a free one. */
        fun start(folder: Path, port: Int): MariaServer {
            val home = unpackedMaria(folder)
            val data = Files.createDirectory(folder.resolve("data"))
            val common = listOf(
                "${home.resolve("bin/mariadbd")}", "--no-defaults", "--basedir=$home", "--datadir=$data",
                "--lc-messages-dir=${home.resolve("share")}",
            ) + asRoot(folder)
            initialise(common, home, folder.resolve("initialise.log"))
            val password = newPassword()
            val chosen = chosenPort(port)
            val address = "mariadb://127.0.0.1:$chosen/$NAME"
            val access = Access("jdbc:$address", "r2dbc:$address", USER, password)
            val setup = Files.writeString(folder.resolve("setup.sql"), setup(password))
            val options = listOf(
                "--port=$chosen", "--bind-address=127.0.0.1", "--socket=", "--init-file=$setup", "--skip-log-bin",
                // Without it, each start makes a key of its own, which takes seconds, and sometimes minutes.
                "--skip-ssl", "--skip-name-resolve", "--innodb-log-file-size=256M",
            ) + DURABLE.map { (name, value) -> "--$name=$value" }
            val server = OwnedProcess.start(common + options, stop = "TERM")
            try {
                // MariaDB sends the first byte, after it has executed the setup file.
                awaitAnswer(server, "mariadbd", chosen, MAX_START) { it.inputStream.read() >= 0 }
            } catch (failure: Exception) {
                server.close()
                throw failure
            } finally {
                Files.delete(setup)
            }
            return MariaServer(server, access)
        }

        /** Creates the system tables with MariaDB's own scripts. */
        private fun initialise(common: List<String>, home: Path, log: Path) {
            val bootstrap = listOf("--bootstrap", "--skip-grant-tables", "--innodb-log-file-size=256M") + NOT_DURABLE
            val process = ProcessBuilder(common + bootstrap)
                .redirectErrorStream(true).redirectOutput(log.toFile()).start()
            process.outputStream.bufferedWriter().use { input ->
                input.write("create database if not exists mysql;\nuse mysql;\n")
                for (script in SCRIPTS) input.write(Files.readString(home.resolve("share/$script")))
            }
            check(process.waitFor() == 0) { "MariaDB could not be initialised:\n${Files.readString(log)}" }
        }

        /** One statement per line, as `--init-file` requires. */
        private fun setup(password: String) = """
            create database $NAME character set utf8mb4;
            create user '$USER'@'127.0.0.1' identified by '$password';
            grant all on *.* to '$USER'@'127.0.0.1';
            delete from mysql.global_priv where user <> '$USER' and user not like 'mariadb.%';
            flush privileges;
        """.trimIndent() + "\n"

        /** MariaDB refuses to run as root without this option. */
        private fun asRoot(folder: Path) =
            if (Files.getAttribute(folder, "unix:uid") == 0) listOf("--user=root") else emptyList()

        private val SCRIPTS = listOf(
            "mariadb_system_tables.sql", "mariadb_performance_tables.sql", "mariadb_system_tables_data.sql",
        )

        /** For the bootstrap alone: it can be repeated after a crash. */
        private val NOT_DURABLE = listOf(
            "--innodb-flush-log-at-trx-commit=0", "--skip-innodb-doublewrite", "--innodb-flush-method=nosync",
        )
        private val DURABLE = mapOf("innodb_flush_log_at_trx_commit" to "1", "innodb_doublewrite" to "ON")
        private const val USER = "threadgauge"
        private const val NAME = "books"
        private val MAX_START = Duration.ofSeconds(120)
        private const val EXIT_ENDED = 70
    }
}
