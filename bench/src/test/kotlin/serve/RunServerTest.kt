package threadgauge.serve

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import java.net.InetAddress
import java.net.InetSocketAddress
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.FileTime
import kotlin.io.path.exists
import kotlin.io.path.writeText
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.io.TempDir
import threadgauge.judge.regression.compareRecords
import threadgauge.model.RunState
import threadgauge.model.Slo
import threadgauge.model.failure.Failed
import threadgauge.model.failure.Failure
import threadgauge.model.plan.KneeQuestion
import threadgauge.report.regression.changeMarkdown
import threadgauge.store.RecordFolder
import threadgauge.store.RecordLock

@Tag("ports")
@Timeout(120)
class RunServerTest {
    @TempDir
    lateinit var place: Path

    @Test
    fun `the first page lists and finds runs, and those that cannot be read`() = served { server ->
        runIn(place, "shop-1") { it.named("shop", "Is the shop slow?", "main") }
        runIn(place, "tour-1", day = 2)
        RecordFolder(place.resolve("broken-1")).create().path.resolve("record.json").writeText("{")
        val all = server.get("/")
        all.status shouldBe 200
        listOf("3 runs, the newest first.", "/runs/shop-1/report", "broken-1", "is not a record", "main").forEach {
            all.body shouldContain it
        }
        val found = server.get("/?q=shop&state=complete").body
        found shouldContain "1 of 3 runs"
        found shouldNotContain "tour-1"
        server.get("/?q=nothing").body shouldContain "No run matches."
    }

    @Test
    fun `a folder without runs says how to make one`() = served { server ->
        val page = server.get("/").body
        page shouldContain "There is no run in <code>"
        page shouldContain "<code>threadgauge run</code> and <code>threadgauge try</code> make them"
    }

    @Test
    fun `a report comes from its folder, and is made where none is as new as the record`() = served { server ->
        val folder = runIn(place, "shop-1")
        server.get("/runs/shop-1").run { status shouldBe 303; header("Location") shouldBe "/runs/shop-1/report" }
        server.get("/runs/shop-1/report").body shouldContain "Record "
        folder.path.resolve("report.html").exists() shouldBe false
        val report = folder.path.resolve("report.html").also { it.writeText("<p>of the run") }
        server.get("/runs/shop-1/report").body shouldBe "<p>of the run"
        Files.setLastModifiedTime(report, FileTime.fromMillis(0))
        server.get("/runs/shop-1/report").body shouldContain "Record "
    }

    @Test
    fun `a report cannot reach the server that sent it, and no file is sent through a link`() = served { server ->
        val folder = runIn(place, "shop-1")
        val outside = Files.createTempFile("outside", ".txt").also { it.writeText("text-of-another-file") }
        Files.createSymbolicLink(folder.path.resolve("report.html"), outside)
        val answer = server.get("/runs/shop-1/report")
        answer.body shouldNotContain "text-of-another-file"
        answer.header("Content-Security-Policy").shouldNotBeNull() shouldContain "sandbox allow-scripts"
        answer.header("Content-Security-Policy").shouldNotBeNull() shouldNotContain "connect-src"
        Files.delete(outside)
    }

    @Test
    fun `two runs side by side have the figures of compare, the earlier as the base`() = served { server ->
        val new = runIn(place, "new", day = 2) { it.copy(id = "new", trials = it.trials.dropLast(1)) }.read()
        val base = runIn(place, "base").read()
        val page = server.get("/compare?run=new&run=base").body
        page shouldContain "Is new worse than base?"
        val expected = compareRecords(listOf(base), listOf(new))
        // Every figure of the table that goes into pull requests.
        val cells = changeMarkdown(expected).lines().filter { it.startsWith("| s ") }.map { it.split(" | ") }
        cells.size shouldBe expected.changes.size
        cells.flatMap { it.subList(3, 5) }.forEach { page shouldContain ">$it<" }
        server.get("/compare?base=new&new=base").body shouldContain "Is base worse than new?"
    }

    @Test
    fun `a choice that cannot be compared is told why`() = served { server ->
        runIn(place, "a")
        runIn(place, "knee") { it.copy(plan = it.plan.copy(knee = KneeQuestion(Slo()))) }
        server.get("/compare").run { status shouldBe 400; body shouldContain "Which two runs?" }
        server.get("/compare?run=a").body shouldContain "not 1"
        server.get("/compare?run=a&run=b").run { status shouldBe 404; body shouldContain "There is no run “b”" }
        server.get("/compare?run=a&run=knee").run { status shouldBe 400; body shouldContain "--against" }
    }

    @Test
    fun `histories are those of the command, with links back and to the reports`() = served { server ->
        repeat(6) { at -> runIn(place, "e-$at", day = at + 1) }
        server.get("/history").body shouldContain "href=\"/history/e\""
        val page = server.get("/history/e")
        page.body shouldContain "How did e go over its runs?"
        page.body shouldContain "href=\"/runs/e-3/report\""
        page.body shouldContain "All runs"
        val policy = page.header("Content-Security-Policy").shouldNotBeNull()
        policy shouldContain "script-src 'sha256-"
        policy shouldNotContain "unsafe"
        server.get("/history/other").status shouldBe 404
        server.get("/history/e?saved-as=main").run { status shouldBe 404; body shouldContain "saved as “main”" }
        runIn(place, "e-main", day = 9) { it.named("e", savedAs = "main") }
        server.get("/history").body shouldContain "href=\"/history/e?saved-as=main\""
        server.get("/history/e?saved-as=main").body shouldContain "1 run: a change is told from noise from 5 runs on."
    }

    @Test
    fun `a run under way is asked for until it is over, and sent only when it has changed`() = served { server ->
        val folder = runIn(place, "live") { it.underWay(measured = 2) }
        RecordLock.take(folder.path).use {
            server.get("/runs/live").header("Location") shouldBe "/runs/live/live"
            server.get("/runs/live/live").body shouldContain "2 of 6 trials measured."
            val first = document(server)
            first.getValue("isOver").jsonPrimitive.content shouldBe "false"
            first.getValue("now").jsonArray.single().jsonPrimitive.content shouldBe "first, trial 3: starting"
            val version = first.getValue("version").jsonPrimitive.content
            server.get("/runs/live/live.json?since=$version").status shouldBe 204
            runIn(place, "live") { it.underWay(measured = 4) }
            val next = server.get("/runs/live/live.json?since=$version")
            next.status shouldBe 200
            next.body shouldContain "4 of 6 trials measured."
        }
        runIn(place, "live") { it.copy(state = RunState.COMPLETE) }
        document(server).run {
            getValue("isOver").jsonPrimitive.content shouldBe "true"
            getValue("words").jsonPrimitive.content shouldBe "6 trials measured."
        }
    }

    @Test
    fun `paths lead to no file but those of runs`() = served { server ->
        runIn(place, "a")
        place.resolve("secret.txt").writeText("secret")
        val paths = listOf(
            "/runs/../secret.txt", "/runs/..%2Fsecret.txt/report", "/runs/%2e%2e/report", "/secret.txt",
            "/runs/a/record.json", "/runs/a/..%2f..%2fsecret.txt", "/assets/../secret.txt", "/assets/x-style.css",
            "//secret.txt", "/runs/a%00/report", "/runs/a/report/more", "/nothing",
        )
        paths.forEach { path ->
            val answer = server.get(path)
            withClue("$path ${answer.status}") {
                (answer.status in listOf(400, 404)) shouldBe true
                answer.body shouldNotContain "secret\n"
            }
        }
    }

    @Test
    fun `nothing but GET is answered, and no other name than that of this machine`() = served { server ->
        runIn(place, "a")
        for (method in listOf("POST", "PUT", "DELETE", "HEAD", "OPTIONS", "TRACE")) withClue(method) {
            server.get("/", method = method).run { status shouldBe 405; header("Allow") shouldBe "GET" }
        }
        for (host in listOf("evil.example", "evil.example:${server.port}", null)) withClue(host) {
            val answer = server.get("/", host = host)
            (answer.status in listOf(400, 421)) shouldBe true
            answer.body shouldNotContain "/runs/a"
        }
        server.get("/", host = "localhost:1").status shouldBe 200
    }

    @Test
    fun `every answer says what browsers may do with it`() = served { server ->
        runIn(place, "a")
        val style = Regex("/assets/[^\"]+css").find(server.get("/").body)!!.value
        for (path in listOf("/", "/history", "/runs/a/report", "/runs/a/live", "/none", style)) withClue(path) {
            val answer = server.get(path)
            answer.header("Content-Security-Policy").shouldNotBeNull() shouldContain "default-src 'none'"
            answer.header("X-Content-Type-Options") shouldBe "nosniff"
            answer.header("Referrer-Policy") shouldBe "no-referrer"
            answer.header("Access-Control-Allow-Origin").shouldBeNull()
        }
        server.get("/").header("Content-Security-Policy").shouldNotBeNull() shouldNotContain "unsafe"
        server.get(style).header("Cache-Control").shouldNotBeNull() shouldContain "immutable"
        server.get("/").header("Cache-Control") shouldBe "no-store"
    }

    @Test
    fun `with a token only who has it is let in, by the address once and then by a cookie`() {
        runIn(place, "a")
        val access = Access.of(InetAddress.getLoopbackAddress(), "127.0.0.1", always = true)
        serverOf(place, access).use { server ->
            for (path in listOf("/", "/?token=wrong", "/?token=", "/runs/a/report", "/runs/a/live.json")) {
                server.get(path).run { status shouldBe 401; body shouldNotContain "/runs/a" }
            }
            val let = server.get("/?token=${access.token}")
            let.status shouldBe 303
            let.header("Location") shouldBe "/"
            val cookie = let.header("Set-Cookie").shouldNotBeNull()
            cookie shouldContain "HttpOnly; SameSite=Lax"
            server.get("/", headers = mapOf("Cookie" to cookie.substringBefore(';'))).body shouldContain "/runs/a"
            server.get("/", headers = mapOf("Cookie" to "${access.cookie}=wrong")).status shouldBe 401
        }
    }

    @Test
    fun `a port in use is a failure that names the option`() = served { server ->
        val address = InetSocketAddress(InetAddress.getLoopbackAddress(), server.port)
        shouldThrow<Failed> { RunServer.start(place, address, loopback()) { } }.failure shouldBe
            Failure.Port(server.port, "--port")
    }

    @Test
    fun `a name in a record that contains script does not become markup`() = served { server ->
        val hostile = "<script>window.broken = 1</script>"
        runIn(place, "a") { it.named(hostile, hostile, hostile) }
        runIn(place, "b", day = 2) { it.named(hostile, hostile, hostile).copy(id = hostile) }
        val script = "%3Cscript%3Ewindow"
        val pages = listOf(
            "/", "/?q=$script", "/history", "/history/$script", "/compare?run=a&run=b", "/runs/b/live",
            "/runs/$script/report",
        )
        pages.forEach { withClue(it) { server.get(it).body shouldNotContain "<script>window" } }
    }

    private fun document(server: RunServer) =
        Json.parseToJsonElement(server.get("/runs/live/live.json").body).jsonObject

    private fun served(test: (RunServer) -> Unit) = serverOf(place).use(test)
}
