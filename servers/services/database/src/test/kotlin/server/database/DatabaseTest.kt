package threadgauge.server.database

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.net.Socket
import java.net.URI
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.PosixFilePermissions
import java.sql.Connection
import java.sql.DriverManager
import java.util.Properties
import java.util.concurrent.TimeUnit
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.contract.testkit.process.ServiceProcess
import threadgauge.server.articles.ARTICLES
import threadgauge.server.articles.Article
import threadgauge.server.articles.article

@Tag("processes")
class DatabaseTest {
    @TempDir
    lateinit var folder: Path
    private val started = ArrayList<ServiceProcess>()

    @AfterEach
    fun stop() = started.forEach { it.stop() }

    @Test
    fun `H2 is a file with all articles, which is closed`() {
        val endpoints = start("--database=h2", "--folder=$folder").second
        endpoints.keys.toList() shouldContainExactly listOf("jdbc", "r2dbc", "user", "password")
        endpoints.getValue("r2dbc") shouldContain "r2dbc:h2:file:////"
        open(endpoints).use { first -> mustHoldArticles(first) }
        // Opened for writing, which H2 allows only while no other process has the file.
        val forWriting = endpoints.getValue("jdbc").substringBefore(';')
        DriverManager.getConnection(forWriting, endpoints["user"], endpoints["password"]).use { mustHoldArticles(it) }
    }

    @Test
    fun `PostgreSQL holds all articles, is durable, and ends when its owner is killed with -9`() {
        val (service, endpoints) = start("--database=postgresql", "--folder=$folder")
        open(endpoints).use { connection ->
            mustHoldArticles(connection)
            listOf("fsync", "synchronous_commit", "full_page_writes")
                .forEach { connection.text("SHOW $it") shouldBe "on" }
            service.output shouldContain "\nfsync: on\n"
            withClue("the password is in one line") {
                service.output.split(endpoints.getValue("password")).size shouldBe 2
            }

            val family = service.handle.descendants().toList()
            family.count { "postgres" in it.info().command().orElse("") } shouldBeGreaterThanOrEqual 2
            // A connected client must not keep it alive.
            service.handle.destroyForcibly()
            family.stillAlive().shouldBeEmpty()
        }
    }

    @Test
    fun `Redis writes every command to the disk, and ends when its owner is killed with -9`() {
        val (service, endpoints) = start("--database=redis", "--folder=$folder")
        val address = URI(endpoints.getValue("redis"))
        Socket(address.host, address.port).use { socket ->
            val answers = socket.inputStream.bufferedReader()
            fun send(command: String): String {
                socket.outputStream.write("$command\r\n".encodeToByteArray())
                return answers.readLine()
            }
            send("SET seats 7") shouldBe "+OK"
            send("CONFIG GET appendfsync") shouldBe "*2"
            List(4) { answers.readLine() } shouldContainExactly listOf("\$11", "appendfsync", "\$6", "always")
        }
        val family = service.handle.descendants().toList()
        family.count { "redis-server" in it.info().command().orElse("") } shouldBe 1
        service.handle.destroyForcibly()
        family.stillAlive().shouldBeEmpty()
    }

    @Test
    fun `PostgreSQL ends with SIGTERM, and a database by its address gets the table once`() {
        val (service, endpoints) = start("--database=postgresql", "--folder=$folder")
        open(endpoints).use { connection ->
            connection.text("DROP TABLE article; SELECT 'dropped'") shouldBe "dropped"
            val address = listOf("--address=${endpoints["jdbc"]}", "--user=${endpoints["user"]}")
            val known = listOf("env", "THREADGAUGE_PASSWORD=${endpoints["password"]}")
            // A database that runs already does not count statements, and its password is not printed.
            service(address, known).start() shouldBe endpoints - "statements" - "password"
            mustHoldArticles(connection)
            // An existing table is not changed, even if its rows are wrong.
            connection.text("DELETE FROM article WHERE id = 1; SELECT 'deleted'") shouldBe "deleted"
            val failing = service(address, known).also { runCatching { it.start() }.isFailure shouldBe true }
            failing.output shouldContain "its table article has 99999 rows instead of 100000; it was not changed"
        }
        val family = service.handle.descendants().toList() + service.handle
        service.handle.destroy()
        family.stillAlive().shouldBeEmpty()
        service.output shouldContain "database system is shut down"
    }

    @Test
    fun `a client that knows only the folder and the port reads the password of PostgreSQL in a file`() {
        val endpoints = start("--database=postgresql", "--folder=$folder", "--articles=none").second
        val file = folder.resolve("pgpass")
        PosixFilePermissions.toString(Files.getPosixFilePermissions(file)) shouldBe "rw-------"
        val known = Properties().apply { setProperty("user", endpoints.getValue("user")) }
        System.setProperty("org.postgresql.pgpassfile", "$file")
        try {
            DriverManager.getConnection(endpoints["jdbc"], known).use { it.text("SELECT 1") shouldBe "1" }
        } finally {
            System.clearProperty("org.postgresql.pgpassfile")
        }
    }

    @Test
    fun `PostgreSQL counts statements and rows, and leaves out the query for the counts`() {
        val endpoints = start("--database=postgresql", "--folder=$folder").second
        val counter = endpoints.getValue("statements")
        fun counted(of: String = "") =
            URI(counter + of).toURL().readText().lines().take(2).map { it.substringAfter(' ').toLong() }
        open(endpoints).use { connection ->
            val before = counted()
            counted() shouldBe before
            connection.autoCommit = false
            repeat(3) { connection.text("SELECT id FROM article WHERE id IN (1, 2, 3) ORDER BY id") shouldBe "1" }
            connection.commit()
            counted() shouldBe listOf(before[0] + 3, before[1] + 9)
            connection.createStatement().use { it.execute("CREATE ROLE guest LOGIN PASSWORD 'a'") }
            connection.createStatement().use { it.execute("GRANT SELECT ON article TO guest") }
            connection.commit()
            val guest = endpoints + mapOf("user" to "guest", "password" to "a")
            open(guest).use { it.text("SELECT id FROM article WHERE id IN (1, 2)") }
            counted("?of=guest") shouldBe listOf(1, 2)
            counted("?of=${endpoints["user"]}") shouldBe listOf(before[0] + 3, before[1] + 9)
            counted("?of=nobody") shouldBe listOf(0, 0)
        }
    }

    private fun service(arguments: List<String>, before: List<String> = emptyList()) =
        ServiceProcess("threadgauge.server.database.MainKt", arguments, before).also { started += it }

    private fun start(vararg arguments: String) = service(arguments.toList()).let { it to it.start() }

    private fun open(endpoints: Map<String, String>): Connection =
        DriverManager.getConnection(endpoints["jdbc"], endpoints["user"], endpoints["password"])

    private fun mustHoldArticles(connection: Connection) {
        connection.text("SELECT count(*) FROM article") shouldBe "$ARTICLES"
        for (id in listOf(1, 17, ARTICLES)) {
            connection.createStatement().use { statement ->
                statement.executeQuery("SELECT * FROM article WHERE id = $id").use { row ->
                    row.next()
                    val (author, body, title) = listOf("author", "body", "title").map(row::getString)
                    Article(author, body, row.getInt("id"), title) shouldBe article(id)
                }
            }
        }
    }

    /** The only value of the last result. */
    private fun Connection.text(sql: String): String = createStatement().use { statement ->
        var hasRows = statement.execute(sql)
        while (!hasRows) hasRows = statement.moreResults
        statement.resultSet.also { it.next() }.getString(1)
    }

    /** Processes that have not ended after ten seconds. */
    private fun List<ProcessHandle>.stillAlive(): List<ProcessHandle> {
        forEach { runCatching { it.onExit().get(10, TimeUnit.SECONDS) } }
        return filter { it.isAlive && Files.exists(Path.of("/proc/${it.pid()}")) }
    }
}
