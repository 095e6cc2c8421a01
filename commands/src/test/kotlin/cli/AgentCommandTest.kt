package threadgauge.cli

import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.net.InetAddress
import java.net.ServerSocket
import java.nio.file.Path
import kotlin.concurrent.thread
import kotlin.io.path.createDirectories
import kotlin.io.path.exists
import kotlin.io.path.readText
import kotlin.io.path.writeText
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.int
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir

/** Loads from several agents that a user starts without a coordinator. */
@Tag("processes")
class AgentCommandTest {
    @TempDir
    lateinit var folder: Path

    @Test
    fun `two slices that ran on their own give the whole load when merged`() {
        server { port ->
            val order = order("""{"type":"loops","users":3,"loops":10}""", port)
            for (slice in 0..1) run("agent", order, "--slice", "$slice/2", "--out", "load").exitCode shouldBe 0
            val early = run("merge", "load/slice-0-of-2.jsonl")
            early.exitCode shouldBe 65
            early.err shouldContain "of 2 slices these are missing: 1"

            val merged = run("merge", "load")
            merged.exitCode shouldBe 0
            merged.out shouldContain "Of 30 requests 30 were answered correctly."
            merged.out shouldContain "merged from 2 slices"
            val result = Json.parseToJsonElement(folder.resolve("load/result.json").readText()).jsonObject
            result.getValue("counts").jsonObject.getValue("answered").jsonPrimitive.int shouldBe 30
            folder.resolve("load/latency.hlog").readText() shouldContain "latency in nanoseconds from the intended time"
        }
    }

    @Test
    fun `unusable input is reported, and nothing is started`() {
        val bad = folder.resolve("bad.json").also { it.writeText("""{"id": 1, "lod": {}}""") }
        run("agent", "$bad").let {
            it.exitCode shouldBe 65
            it.err shouldContain "bad.json is no work order"
        }
        run("agent", "nowhere.json").exitCode shouldBe 65
        val here = Path.of(order("""{"type":"burst","requests":1}""", 1)).readText()
        val elsewhere = folder.resolve("elsewhere.json").also { it.writeText(here.replace("127.0.0.1", "a.test")) }
        run("agent", "$elsewhere").let {
            it.exitCode shouldBe 64
            it.err shouldContain "If you may load that server, say so: --i-may-load a.test"
        }
        run("agent", "$bad", "--slice", "3/3").let {
            it.exitCode shouldBe 64
            it.err shouldContain "write two numbers, such as 0/3"
        }
        run("agent", "$bad", "--start-at", "noon").exitCode shouldBe 64
        folder.resolve("results").exists() shouldBe false

        val cut = folder.resolve("cut").createDirectories().resolve("slice-0-of-1.jsonl")
        cut.writeText(Path.of(order("""{"type":"burst","requests":1}""", 1)).readText().trim() + "\n")
        run("merge", "cut").let {
            it.exitCode shouldBe 65
            it.err shouldContain "is cut off: its agent did not come to the end"
        }
    }

    private fun run(vararg arguments: String) = CommandLine(folder).run(*arguments)

    private fun order(load: String, port: Int): String {
        val file = folder.resolve("order.json")
        file.writeText(
            """{"id":1,"load":$load,"request":{"path":"/","expect":{"body":"ok"}},"targets":[{"host":"127.0.0.1","port":$port}]}""",
        )
        return file.toString()
    }

    /** Answers every request of a connection with `ok`. */
    private fun server(use: (port: Int) -> Unit) =
        ServerSocket(0, 100, InetAddress.getLoopbackAddress()).use { listening ->
            thread(isDaemon = true) {
                while (true) {
                    val socket = runCatching { listening.accept() }.getOrElse { return@thread }
                    Thread.startVirtualThread {
                        socket.use {
                            val lines = it.inputStream.bufferedReader()
                            while (true) {
                                while ((lines.readLine() ?: return@startVirtualThread).isNotEmpty()) continue
                                it.outputStream.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".toByteArray())
                            }
                        }
                    }
                }
            }
            use(listening.localPort)
        }
}
