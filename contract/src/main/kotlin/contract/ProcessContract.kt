package threadgauge.contract

import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertNotEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import java.net.InetAddress
import java.net.ServerSocket
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse.BodyHandlers
import java.util.concurrent.TimeUnit

/** How a server must start and end, so that the bench is never left with a process that neither serves nor goes. */
@Tag("processes")
abstract class ProcessContract(main: String, stack: String) {
    private val server = ServerProcess(main, ShippedStack.read(stack))

    @AfterEach
    fun stop() = server.stop()

    @Test
    fun `a port in use ends the process with an exit code and a line that says so`() {
        ServerSocket(0, 1, InetAddress.getLoopbackAddress()).use { taken ->
            val process = server.launch(taken.localPort)
            assertTrue(process.waitFor(60, TimeUnit.SECONDS), "still running:\n${server.output}")
            assertNotEquals(0, process.exitValue())
            assertTrue("already in use" in server.output, server.output)
        }
    }

    @Test
    fun `SIGTERM ends the process soon, also with a request under way`() {
        val base = server.start()
        HttpClient.newHttpClient().use { client ->
            client.sendAsync(HttpRequest.newBuilder(base.resolve("/delay/30000")).build(), BodyHandlers.discarding())
            client.send(HttpRequest.newBuilder(base.resolve("/hello")).build(), BodyHandlers.discarding())
            val start = System.nanoTime()
            server.stop()
            val seconds = (System.nanoTime() - start) / 1e9
            client.shutdownNow()
            assertTrue(seconds < SECONDS_MOST, "took $seconds s:\n${server.output}")
        }
    }

    private companion object {
        /** Two are promised; the rest is for a machine that is busy with other tests. */
        const val SECONDS_MOST = 4.0
    }
}
