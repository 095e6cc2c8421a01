package threadgauge.cli

import com.github.ajalt.clikt.core.CliktError
import com.github.ajalt.clikt.core.parse
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import java.net.CookieManager
import java.net.InetAddress
import java.net.ServerSocket
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.model.failure.Failed

/** What stops `serve` before it serves, and how it begins and ends. */
@Tag("ports")
class ServeCommandTest {
    @TempDir
    lateinit var folder: Path

    @Test
    fun `a folder that is missing is told with a remedy`() {
        val missing = folder.resolve("missing")
        stopped("serve", "$missing").run {
            statusCode shouldBe ExitCode.BAD_FILE.number
            message shouldContain "There is no folder $missing. Give the folder of your runs"
        }
    }

    @Test
    fun `a port in use is told with the option that names another`() {
        ServerSocket(0, 1, InetAddress.getLoopbackAddress()).use { taken ->
            val failed = shouldThrow<Failed> {
                threadgaugeCommand().parse(listOf("serve", "$folder", "--port", "${taken.localPort}"))
            }
            stop(failed).run {
                statusCode shouldBe ExitCode.UNAVAILABLE.number
                message shouldBe "Port ${taken.localPort} is in use. Name another with --port."
            }
        }
    }

    @Test
    fun `an address of another machine, and a name that nobody has, are told with the option`() {
        stopped("serve", "$folder", "--host", "192.0.2.1").run {
            statusCode shouldBe ExitCode.UNAVAILABLE.number
            message shouldContain "--host"
        }
        stopped("serve", "$folder", "--host", "no-such-host.invalid").run {
            statusCode shouldBe ExitCode.UNAVAILABLE.number
            message shouldContain "There is no address no-such-host.invalid."
        }
    }

    @Test
    @Tag("processes")
    fun `it prints the address, answers there, and ends at once when it is asked to`() {
        val port = ServerSocket(0).use { it.localPort }
        val java = Path.of(System.getProperty("java.home"), "bin", "java").toString()
        val process = ProcessBuilder(
            java, "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), "threadgauge.cli.MainKt",
            "serve", "$folder", "--port", "$port", "--token",
        ).redirectError(ProcessBuilder.Redirect.DISCARD).start()
        try {
            val line = process.inputReader().readLine()
            line shouldStartWith "Runs in $folder: http://127.0.0.1:$port/?token="
            val address = URI(line.substringAfter(": "))
            val client = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.ALWAYS)
                .cookieHandler(CookieManager()).build()
            client.use {
                val request = HttpRequest.newBuilder(address).build()
                it.send(request, HttpResponse.BodyHandlers.ofString()).body() shouldContain "There is no run"
            }
            process.destroy()
            process.waitFor(10, TimeUnit.SECONDS) shouldBe true
            process.exitValue() shouldBe ExitCode.DONE.number
        } finally {
            process.destroyForcibly()
        }
    }

    private fun stopped(vararg words: String): CliktError =
        shouldThrow<CliktError> { threadgaugeCommand().parse(words.toList()) }
}
