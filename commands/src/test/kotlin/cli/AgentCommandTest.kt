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

    @Test
    fun `a service is tried by agents that listen, with a verdict, and killed runs leave their agents free`() {
        val machines = listOf("one", "two").map { CommandLine(folder.resolve(it).createDirectories()) }
        val token = folder.resolve("agents.token")
        val agents = machines.map { it.start("agent", "--listen", "127.0.0.1:0", "--token", "$token") }
        try {
            val hosts = agents.map { agent ->
                agent.awaitOutput("Listening on port")
                "127.0.0.1:" + PORT.find(agent.err)!!.groupValues[1]
            }.joinToString(",")
            val here = arrayOf("--agents", hosts, "--agent-token", "$token", "--reach-me-at", "127.0.0.1")
            server { port ->
                val load = arrayOf("try", "http://127.0.0.1:$port/", "--rate", "100/s", "--for", "1s", "--no-causes")
                val killed = CommandLine(folder.resolve("killed").createDirectories())
                    .start(*load, "--warm-up", "60s", *here)
                killed.awaitOutput("about")
                agents.forEach { it.awaitOutput("has come") }
                val before = agents.flatMap { it.family() }
                killed.signal("KILL")
                killed.await()
                awaitAllGone(before)

                val again = CommandLine(folder.resolve("again").createDirectories())
                val run = again.run(*load, "--trials", "3", "--warm-up", "2s", *here)
                run.exitCode shouldBe 0
                run.out shouldContain "answers/s"
                val record = run.record()
                record.environment.agents shouldBe 2
                record.environment.remoteAgents.map { it.at.toString() } shouldBe hosts.split(',')
                record.trials.forEach { trial ->
                    trial.reachNanos.map { it.size } shouldBe listOf(11, 11)
                    trial.samples.single().counts.let { it.scheduled shouldBe 100; it.answered shouldBe 100 }
                }
                run.recordFolder().path.resolve("report.html").readText() shouldContain "Load agent at 127.0.0.1:"
                val wrong = folder.resolve("wrong.token").also { it.writeText("0".repeat(64)) }
                val refused = CommandLine(folder.resolve("refused").createDirectories())
                    .run(*load, "--agents", hosts, "--agent-token", "$wrong", "--reach-me-at", "127.0.0.1")
                refused.exitCode shouldBe 69
                refused.err shouldContain "it was started with another token"
            }
        } finally {
            val all = agents.flatMap { it.family() }
            agents.forEach { it.signal("INT") }
            agents.forEach { it.await() }
            awaitAllGone(all)
        }
        agents.map { it.exitCode } shouldBe listOf(130, 130)
    }

    @Test
    fun `a stack that comes along is reached by another address, and one that is not is told`() {
        val there = CommandLine(folder.resolve("there").createDirectories())
        val agent = there.start("agent", "--listen", "127.0.0.1:0", "--token", "../agents.token")
        try {
            agent.awaitOutput("Listening on port")
            val at = "127.0.0.1:" + PORT.find(agent.err)!!.groupValues[1]
            val here = CommandLine(folder.resolve("here").createDirectories())
            val agents = arrayOf("--agents", at, "--agent-token", "../agents.token", "--reach-me-at", "127.0.0.2")
            val ran = here.run("run", "${here.experiment()}", *agents)
            ran.exitCode shouldBe 0
            ran.record().trials.single().samples.single().counts.failures shouldBe emptyMap()
            val own = CommandLine(folder.resolve("own").createDirectories())
            server { port ->
                // It listens on 127.0.0.1 alone.
                val refused = own.run("try", "http://127.0.0.1:$port/", "--for", "1s", "--quick", *agents)
                refused.exitCode shouldBe 2
                refused.out.replace(Regex("\\s+"), " ") shouldContain "cannot be reached by the load agent at $at"
            }
        } finally {
            val all = agent.family()
            agent.signal("INT")
            agent.await()
            awaitAllGone(all)
        }
    }

    @Test
    fun `mistakes about agents are told before anything is started`() {
        run("agent").let { it.exitCode shouldBe 64; it.err shouldContain "either an order, or --listen" }
        run("agent", "--listen", "7400").err shouldContain "--listen needs --token"
        run("agent", "--listen", "port", "--token", "t").err shouldContain "write a port, or an address and a port"
        run("try", "http://127.0.0.1:1/", "--agents", "load1").let {
            it.exitCode shouldBe 64
            it.err shouldContain "--reach-me-at"
        }
        run("try", "http://127.0.0.1:1/", "--agents", "127.0.0.1:1", "--reach-me-at", "127.0.0.1").let {
            it.exitCode shouldBe 69
            it.err shouldContain "there is no token in THREADGAUGE_AGENT_TOKEN"
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

    private companion object {
        val PORT = Regex("Listening on port ([0-9]+)")
    }
}
