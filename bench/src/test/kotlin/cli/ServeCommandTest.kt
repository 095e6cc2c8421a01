package threadgauge.cli

import com.github.ajalt.clikt.core.CliktError
import com.github.ajalt.clikt.core.parse
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.net.InetAddress
import java.net.ServerSocket
import java.nio.file.Path
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.model.failure.Failed

/** What stops `serve` before it serves. */
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

    private fun stopped(vararg words: String): CliktError =
        shouldThrow<CliktError> { threadgaugeCommand().parse(words.toList()) }
}
