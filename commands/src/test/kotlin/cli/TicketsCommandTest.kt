package threadgauge.cli

import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import java.net.InetAddress
import java.net.ServerSocket
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.nio.file.Path
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.target.Target
@Tag("processes")
class TicketsCommandTest {
    @TempDir
    lateinit var folder: Path

    private val client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()

    @Test
    fun `two services sell each seat once, show it on a page, and end with Ctrl-C`() {
        val command =
            CommandLine(folder).start("tickets", "--port", "${Target.freePort()}", "--replicas", "2", "--capacity", "3")
        command.awaitOutput("Ctrl-C ends it")
        val family = command.family()
        val places = Regex("http://127\\.0\\.0\\.1:\\d+").findAll(command.out).map { it.value }.distinct().toList()
        places shouldHaveSize 2
        val event = Regex("event (\\d+)\\.").find(command.out)!!.groupValues[1]
        val answers = (1..6).map { reserve("${places[it % 2]}/events/$event/reservations", "by-hand-$it") }
        answers shouldBe listOf(201, 201, 201, 409, 409, 409)
        get("${places[0]}/?event=$event") shouldContain "Reserve by hand"
        get("${places[1]}/events/$event") shouldContain "\"remaining\":0"
        get("${places[1]}/metrics") shouldContain "tickets_reserve_seconds_count{answer=\"too-few\""
        command.signal("INT")
        command.await()
        command.exitCode shouldBe 0
        command.err shouldContain "The sale is over."
        awaitAllGone(family)
    }

    @Test
    fun `a sale can use MariaDB as its ledger, through a queue`() {
        val command = CommandLine(folder).start(
            "tickets", "--port", "${Target.freePort()}", "--database", "mariadb", "--strategy", "queue", "--capacity",
            "2",
        )
        command.awaitOutput("Ctrl-C ends it")
        val family = command.family()
        family.count { "mariadbd" in it.info().command().orElse("") } shouldBe 1
        val place = Regex("http://127\\.0\\.0\\.1:\\d+").find(command.out)!!.value
        val event = Regex("event (\\d+)\\.").find(command.out)!!.groupValues[1]
        (1..3).map { reserve("$place/events/$event/reservations", "by-hand-$it") } shouldBe listOf(201, 201, 409)
        command.signal("INT")
        command.await()
        awaitAllGone(family)
    }

    @Test
    fun `after kill -9 neither services nor databases are left`() {
        val command = CommandLine(folder).start("tickets", "--port", "${Target.freePort()}", "--strategy", "redis-lua")
        command.awaitOutput("Ctrl-C ends it")
        val family = command.family()
        family.count { "redis-server" in it.info().command().orElse("") } shouldBe 1
        command.signal("KILL")
        awaitAllGone(family)
    }

    @Test
    fun `impossible options are reported before anything is sold`() {
        fun said(code: Int, vararg arguments: String): String {
            val command = CommandLine(folder).run("tickets", *arguments)
            command.exitCode shouldBe code
            command.err shouldNotContain "\tat "
            return command.err
        }
        said(64, "--replicas", "0") shouldContain "--replicas"
        said(64, "--strategy", "luck") shouldContain "luck"
        said(64, "--redis", "redis://127.0.0.1:1") shouldContain "batch needs none"
        said(64, "--strategy", "redis-lua", "--redis", "127.0.0.1:6379") shouldContain "redis://"
        said(64, "--database", "mysql://x") shouldContain "jdbc:postgresql: or jdbc:mariadb:"
        said(64, "--database", "mariadb", "--user", "me") shouldContain "--user requires the URL"
        said(64, "--database", "jdbc:postgresql://127.0.0.1:1/x") shouldContain "--user"
        ServerSocket(0, 1, InetAddress.getLoopbackAddress()).use {
            said(69, "--port", "${it.localPort}") shouldContain
                "Port ${it.localPort} is in use. Name another with --port."
        }
        val nowhere = "jdbc:postgresql://127.0.0.1:1/x"
        said(
            69, "--database", nowhere, "--user", "nobody", "--port", "${Target.freePort()}",
        ) shouldContain "tickets-1 ended"
    }

    private fun reserve(place: String, key: String): Int = client.send(
        HttpRequest.newBuilder(URI(place)).header("Content-Type", "application/json").header("Idempotency-Key", key)
            .POST(HttpRequest.BodyPublishers.ofString("""{"quantity": 1}""")).build(),
        HttpResponse.BodyHandlers.discarding(),
    ).statusCode()

    private fun get(place: String): String =
        client.send(HttpRequest.newBuilder(URI(place)).build(), HttpResponse.BodyHandlers.ofString()).body()
}
