package threadgauge.contract.check.protocol

import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.string.shouldContain
import java.io.IOException
import java.net.InetAddress
import java.net.ServerSocket
import java.net.URI
import kotlin.concurrent.thread
import kotlin.time.Duration.Companion.milliseconds
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.contract.client.Access
import threadgauge.contract.client.ContractClient

/** How a server's engine may answer a malformed request, and how not. */
@Tag("ports")
class MalformedRequestChecksTest {
    @Test
    fun `a stack trace is found`() =
        to(
            "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\njava.lang.IllegalStateException: x",
            "no stack trace in the body",
        )

    @Test
    fun `another status is found`() =
        to(
            "HTTP/1.1 500 Internal Server Error\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
            "expected status 400, got 500",
        )

    @Test
    fun `a connection that stays open is found, and one that announces its end is not`() {
        val open = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n"
        to("$open\r\n", "expected an end of the connection", closes = false)
        to("${open}Connection: close\r\n\r\n", NOT_SERVED, closes = false)
    }

    @Test
    fun `no answer at all is found`() {
        to("", "expected status 400, got \"\"")
        to("", "SocketTimeoutException", closes = false)
    }

    @Test
    fun `a server that serves no request afterwards is found`() =
        to("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", NOT_SERVED)

    /** Every request gets the same [answer], so a correct request that follows is not served. */
    private fun to(answer: String, problem: String, closes: Boolean = true) =
        ServerSocket(0, 10, LOOPBACK).use { server ->
            val open = thread { server.answerAll(answer, closes) }
            val check = malformedRequestChecks.single { "malformed request line" in it.sentence }
            val access = Access(URI("http://127.0.0.1:${server.localPort}"))
            ContractClient(access, "example", "VIRTUAL_THREADS", 300.milliseconds).use {
                check.violation(it).shouldNotBeNull() shouldContain problem
            }
            server.close()
            open.join()
        }

    private fun ServerSocket.answerAll(answer: String, closes: Boolean) {
        val open = ArrayList<AutoCloseable>()
        try {
            while (true) {
                val socket = accept().also(open::add)
                socket.getInputStream().read(ByteArray(1_000))
                socket.getOutputStream().write(answer.toByteArray())
                if (closes) socket.close()
            }
        } catch (_: IOException) {
            open.forEach { it.close() }
        }
    }

    private companion object {
        val LOOPBACK: InetAddress = InetAddress.getLoopbackAddress()
        const val NOT_SERVED = "GET /hello: expected status 200"
    }
}
