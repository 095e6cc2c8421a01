package threadgauge.target

import com.sun.net.httpserver.HttpServer
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.string.shouldContain
import java.net.InetSocketAddress
import java.nio.file.Path
import java.time.Duration
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.wording.failure.words

@Tag("processes")
class TargetTest {
    @TempDir
    lateinit var folder: Path

    @Test
    fun `a server is ready when it answers, which is later than when its port opens`() {
        start("threadgauge.target.SlowStarter").use { target ->
            val boot = target.awaitReady(Duration.ofSeconds(20), "hello")
            boot.firstAnswerMillis shouldBeGreaterThan boot.portOpenMillis + 300
        }
    }

    @Test
    fun `a server that ends while starting is reported with its exit code and the end of its log`() {
        start("threadgauge.target.NoSuchServer").use { target ->
            val failure = shouldThrow<TargetFailed> { target.awaitReady(Duration.ofSeconds(20), "hello") }
            failure.words() shouldContain "exit code 1"
            failure.words() shouldContain target.log.toString()
            failure.words() shouldContain "NoSuchServer"
        }
    }

    @Test
    fun `a server that never opens its port is given up`() {
        Target.start(
            listOf("sleep", "60"), folder, Target.freePort(), emptyList(), folder.resolve("log"),
        ).use { target ->
            shouldThrow<TargetFailed> { target.awaitReady(Duration.ofMillis(300), "hello") }
                .words() shouldContain "in time"
        }
    }

    private fun start(main: String): StackTarget {
        val port = Target.freePort()
        val java = Path.of(System.getProperty("java.home"), "bin", "java").toString()
        val command = listOf(java, "-cp", System.getProperty("java.class.path"), main, port.toString())
        return Target.start(command, folder, port, emptyList(), folder.resolve("log"))
    }
}

/** Opens its port at once, says for 300 ms that it is not ready, and for another 100 ms the wrong thing. */
object SlowStarter {
    /** Both count from the moment at which the port is open. */
    @Volatile
    private var ready = Long.MAX_VALUE

    @JvmStatic
    fun main(arguments: Array<String>) {
        val server = HttpServer.create(InetSocketAddress("127.0.0.1", arguments.single().toInt()), 0)
        server.createContext("/") { exchange ->
            val now = System.nanoTime()
            val body = (if (now < ready || now - ready < 100_000_000) "good morning" else "hello").toByteArray()
            exchange.sendResponseHeaders(if (now < ready) 503 else 200, body.size.toLong())
            exchange.responseBody.use { it.write(body) }
        }
        server.start()
        ready = System.nanoTime() + 300_000_000
    }
}
