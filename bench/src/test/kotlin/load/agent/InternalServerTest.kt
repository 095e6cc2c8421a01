package threadgauge.load.agent

import io.kotest.matchers.longs.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import java.io.IOException
import java.net.InetAddress
import java.net.ServerSocket
import java.net.Socket
import kotlin.concurrent.thread
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test

@Tag("ports")
class InternalServerTest {
    @Test
    fun `the second port reports how many requests were answered, and is not counted itself`() {
        val (port, control) = List(2) { ServerSocket(0) }.map { socket -> socket.use { it.localPort } }
        thread(isDaemon = true) { InternalServer.main(arrayOf("$port", "$control")) }
        val before = awaitCount(control)
        Socket(InetAddress.getLoopbackAddress(), port).use { client ->
            val answers = client.getInputStream().bufferedReader()
            repeat(3) {
                client.getOutputStream().write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".toByteArray())
                generateSequence(answers::readLine).first { it.isEmpty() }
                CharArray(InternalServer.BODY.length) { answers.read().toChar() }
                    .concatToString() shouldBe InternalServer.BODY
            }
        }
        before.shouldBeGreaterThanOrEqual(0)
        count(control) - before shouldBe 3
    }

    private fun awaitCount(control: Int): Long = generateSequence {
        try {
            count(control)
        } catch (_: IOException) {
            Thread.onSpinWait()
            -1
        }
    }.first { it >= 0 }

    private fun count(control: Int) =
        Socket(InetAddress.getLoopbackAddress(), control)
            .use { it.getInputStream().bufferedReader().readLine().toLong() }
}
