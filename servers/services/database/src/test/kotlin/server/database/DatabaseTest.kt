package threadgauge.server.database

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.contract.testkit.process.ServiceProcess
import threadgauge.server.articles.ARTICLES
import threadgauge.server.articles.Article
import threadgauge.server.articles.article
import java.net.Socket
import java.net.URI
import java.nio.file.Files
import java.nio.file.Path
import java.sql.Connection
import java.sql.DriverManager
import java.util.concurrent.TimeUnit

@Tag("processes")
class DatabaseTest {
    @TempDir
    lateinit var folder: Path
    private val started = ArrayList<ServiceProcess>()

    @AfterEach
    fun stop() = started.forEach { it.stop() }

    @Test
    fun `H2 is a file with all articles, which nobody holds`() {
        val given = start("--database=h2", "--folder=$folder").second
        given.keys.toList() shouldContainExactly listOf("jdbc", "r2dbc", "user", "password")
        given.getValue("r2dbc") shouldContain "r2dbc:h2:file:////"
        open(given).use { first -> mustHoldArticles(first) }
        // Opened for writing, which H2 allows nobody while another process has the file.
        val forWriting = given.getValue("jdbc").substringBefore(';')
        DriverManager.getConnection(forWriting, given["user"], given["password"]).use { mustHoldArticles(it) }
    }

    @Test
    fun `PostgreSQL holds all articles, is durable, and is gone when its owner is killed with -9`() {
        val (service, given) = start("--database=postgresql", "--folder=$folder")
        open(given).use { connection ->
            mustHoldArticles(connection)
            listOf("fsync", "synchronous_commit", "full_page_writes").forEach { connection.text("SHOW $it") shouldBe "on" }
            service.output shouldContain "\nfsync: on\n"
            withClue("the password stands in one line") { service.output.split(given.getValue("password")).size shouldBe 2 }

            val family = service.handle.descendants().toList()
            family.count { "postgres" in it.info().command().orElse("") } shouldBeGreaterThanOrEqual 2
            // A client that is connected must not keep it.
            service.handle.destroyForcibly()
            family.stillAlive().shouldBeEmpty()
        }
    }

    @Test
    fun `Redis writes every command to the disk, and is gone when its owner is killed with -9`() {
        val (service, given) = start("--database=redis", "--folder=$folder")
        val place = URI(given.getValue("redis"))
        Socket(place.host, place.port).use { socket ->
            val answers = socket.inputStream.bufferedReader()
            fun asked(command: String): String {
                socket.outputStream.write("$command\r\n".encodeToByteArray())
                return answers.readLine()
            }
            asked("SET seats 7") shouldBe "+OK"
            asked("CONFIG GET appendfsync") shouldBe "*2"
            List(4) { answers.readLine() } shouldContainExactly listOf("\$11", "appendfsync", "\$6", "always")
        }
        val family = service.handle.descendants().toList()
        family.count { "redis-server" in it.info().command().orElse("") } shouldBe 1
        service.handle.destroyForcibly()
        family.stillAlive().shouldBeEmpty()
    }

    @Test
    fun `PostgreSQL ends with SIGTERM, and a database by its address gets the table once`() {
        val (service, given) = start("--database=postgresql", "--folder=$folder")
        open(given).use { connection ->
            connection.text("DROP TABLE article; SELECT 'dropped'") shouldBe "dropped"
            val address = listOf("--address=${given["jdbc"]}", "--user=${given["user"]}")
            val known = listOf("env", "THREADGAUGE_PASSWORD=${given["password"]}")
            // Somebody else's database is not told to count, and its password is not printed.
            service(address, known).start() shouldBe given - "statements" - "password"
            mustHoldArticles(connection)
            // What is there stays, also when it is not what it should be.
            connection.text("DELETE FROM article WHERE id = 1; SELECT 'deleted'") shouldBe "deleted"
            val refused = service(address, known).also { runCatching { it.start() }.isFailure shouldBe true }
            refused.output shouldContain "its table article has 99999 rows instead of 100000; it is left as it is"
        }
        val family = service.handle.descendants().toList() + service.handle
        service.handle.destroy()
        family.stillAlive().shouldBeEmpty()
        service.output shouldContain "database system is shut down"
    }

    @Test
    fun `PostgreSQL tells how many statements it was asked and how many rows they gave, and does not count its own`() {
        val given = start("--database=postgresql", "--folder=$folder").second
        val place = given.getValue("statements")
        fun counted(of: String = "") = URI(place + of).toURL().readText().lines().take(2).map { it.substringAfter(' ').toLong() }
        open(given).use { connection ->
            val before = counted()
            counted() shouldBe before
            connection.autoCommit = false
            repeat(3) { connection.text("SELECT id FROM article WHERE id IN (1, 2, 3) ORDER BY id") shouldBe "1" }
            connection.commit()
            counted() shouldBe listOf(before[0] + 3, before[1] + 9)
            connection.createStatement().use { it.execute("CREATE ROLE guest LOGIN PASSWORD 'a'") }
            connection.createStatement().use { it.execute("GRANT SELECT ON article TO guest") }
            connection.commit()
            open(given + mapOf("user" to "guest", "password" to "a")).use { it.text("SELECT id FROM article WHERE id IN (1, 2)") }
            counted("?of=guest") shouldBe listOf(1, 2)
            counted("?of=${given["user"]}") shouldBe listOf(before[0] + 3, before[1] + 9)
            counted("?of=nobody") shouldBe listOf(0, 0)
        }
    }

    private fun service(arguments: List<String>, before: List<String> = emptyList()) =
        ServiceProcess("threadgauge.server.database.MainKt", arguments, before).also { started += it }

    private fun start(vararg arguments: String) = service(arguments.toList()).let { it to it.start() }

    private fun open(given: Map<String, String>): Connection =
        DriverManager.getConnection(given["jdbc"], given["user"], given["password"])

    private fun mustHoldArticles(connection: Connection) {
        connection.text("SELECT count(*) FROM article") shouldBe "$ARTICLES"
        for (id in listOf(1, 17, ARTICLES)) {
            connection.createStatement().use { statement ->
                statement.executeQuery("SELECT * FROM article WHERE id = $id").use { row ->
                    row.next()
                    Article(row.getString("author"), row.getString("body"), row.getInt("id"), row.getString("title")) shouldBe article(id)
                }
            }
        }
    }

    /** The one value of the last result. */
    private fun Connection.text(sql: String): String = createStatement().use { statement ->
        var hasRows = statement.execute(sql)
        while (!hasRows) hasRows = statement.moreResults
        statement.resultSet.also { it.next() }.getString(1)
    }

    /** Those that have not ended after ten seconds. */
    private fun List<ProcessHandle>.stillAlive(): List<ProcessHandle> {
        forEach { runCatching { it.onExit().get(10, TimeUnit.SECONDS) } }
        return filter { it.isAlive && Files.exists(Path.of("/proc/${it.pid()}")) }
    }
}
