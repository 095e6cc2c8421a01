package threadgauge.server.database

import java.io.IOException
import java.net.InetSocketAddress
import java.net.Socket
import java.nio.file.Files
import java.nio.file.Path

/**
 * A MariaDB of our own, empty, with one user and one password, reached at 127.0.0.1 alone, that writes every commit to the disk before it
 * answers. Its program comes with the module `servers/mariadb`; without that on the class path there is none. It ends with this process,
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
            val home = unpackMaria(folder.resolve("mariadb"))
            val data = Files.createDirectory(folder.resolve("data"))
            val common = listOf("${home.resolve("bin/mariadbd")}", "--no-defaults", "--basedir=$home", "--datadir=$data") +
                "--lc-messages-dir=${home.resolve("share")}" + asRoot(folder)
            initialise(common, home)
            val password = newPassword()
            val place = "mariadb://127.0.0.1:${chosenPort(port)}/$NAME"
            val access = Access("jdbc:$place", "r2dbc:$place", USER, password)
            val welcome = Files.writeString(folder.resolve("welcome.sql"), welcome(password))
            val options = listOf("--port=${place.substringAfterLast(':').substringBefore('/')}", "--bind-address=127.0.0.1") +
                listOf("--socket=", "--init-file=$welcome", "--skip-log-bin", "--skip-name-resolve", "--innodb-log-file-size=256M") +
                DURABLE.map { (name, value) -> "--$name=$value" }
            val server = Owned.start(common + options, stop = "TERM")
            try {
                awaitGreeting(server, place)
            } catch (failure: Exception) {
                server.close()
                throw failure
            } finally {
                Files.delete(welcome)
            }
            return MariaServer(server, access)
        }

        /** The tables of the server's own, by its own scripts. */
        private fun initialise(common: List<String>, home: Path) {
            val process = ProcessBuilder(common + listOf("--bootstrap", "--skip-grant-tables", "--innodb-log-file-size=256M"))
                .redirectErrorStream(true).redirectOutput(home.resolve("initialise.log").toFile()).start()
            process.outputStream.bufferedWriter().use { input ->
                input.write("create database if not exists mysql;\nuse mysql;\n")
                for (script in SCRIPTS) input.write(Files.readString(home.resolve("share/$script")))
            }
            check(process.waitFor() == 0) { "MariaDB could not be initialised:\n${Files.readString(home.resolve("initialise.log"))}" }
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

        /** The server speaks first, once it has done what the file of the beginning says. */
        private fun awaitGreeting(server: Owned, place: String) {
            val port = place.substringAfterLast(':').substringBefore('/').toInt()
            val end = System.nanoTime() + START_NANOS_MOST
            while (!greets(port)) {
                check(server.isAlive) { "mariadbd ended before it could be asked; it said why above" }
                check(System.nanoTime() < end) { "mariadbd does not answer" }
                Thread.sleep(POLL_MILLIS)
            }
        }

        private fun greets(port: Int): Boolean = try {
            Socket().use { socket ->
                socket.connect(InetSocketAddress("127.0.0.1", port), PATIENCE_MILLIS)
                socket.soTimeout = PATIENCE_MILLIS
                socket.inputStream.read() >= 0
            }
        } catch (_: IOException) {
            false
        }

        private val SCRIPTS = listOf("mariadb_system_tables.sql", "mariadb_performance_tables.sql", "mariadb_system_tables_data.sql")
        private val DURABLE = mapOf("innodb_flush_log_at_trx_commit" to "1", "innodb_doublewrite" to "ON")
        private const val USER = "threadgauge"
        private const val NAME = "books"
        private const val EXIT_ENDED = 70
        private const val START_NANOS_MOST = 60_000_000_000L
        private const val PATIENCE_MILLIS = 2_000
        private const val POLL_MILLIS = 50L
    }
}
