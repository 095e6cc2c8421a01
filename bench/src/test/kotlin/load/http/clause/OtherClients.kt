package threadgauge.load.http.clause

import java.io.IOException
import java.net.InetAddress
import java.net.ServerSocket
import java.net.Socket
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.time.Duration
import java.util.concurrent.TimeUnit
import kotlin.concurrent.thread

/** The results of other clients for the same bytes, as [verdict]; an incomplete answer is [REFUSED] as well. */
internal object OtherClients {
    /** Null if curl is not installed. */
    val curlVersion: String? = try {
        val words = ProcessBuilder("curl", "--version").redirectErrorStream(true).start().inputReader().readText()
        words.split(' ').getOrNull(1)
    } catch (_: IOException) {
        null
    }

    fun java(clause: Clause): String = answering(clause.bytes) { port ->
        val request = HttpRequest.newBuilder(URI("http://127.0.0.1:$port/")).timeout(Duration.ofSeconds(5))
            .method(clause.method, HttpRequest.BodyPublishers.noBody()).build()
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build().use { client ->
            try {
                val answer = client.send(request, HttpResponse.BodyHandlers.ofString(Charsets.ISO_8859_1))
                "${answer.statusCode()} ${answer.body()}".trim()
            } catch (_: IOException) {
                REFUSED
            } catch (_: IllegalArgumentException) {
                // The exception for a length that is no number.
                REFUSED
            }
        }
    }

    fun curl(clause: Clause): String = answering(clause.bytes) { port ->
        val head = if (clause.method == "HEAD") listOf("--head", "--output", "/dev/null") else emptyList()
        val words = listOf("curl", "--silent", "--http1.1", "--max-time", "5", "--write-out", "%{stderr}%{http_code}")
        val process = ProcessBuilder(words + head + "http://127.0.0.1:$port/").start()
        val body = process.inputStream.readAllBytes().toString(Charsets.ISO_8859_1)
        val status = process.errorReader().readText()
        process.waitFor(5, TimeUnit.SECONDS)
        if (process.exitValue() == 0) "$status $body".trim() else REFUSED
    }

    /** A server that answers each request with [bytes] and closes. */
    private fun answering(bytes: String, ask: (port: Int) -> String): String =
        ServerSocket(0, 10, InetAddress.getLoopbackAddress()).use { listening ->
            thread(isDaemon = true) { runCatching { while (true) listening.accept().use { converse(it, bytes) } } }
            ask(listening.localPort)
        }

    private fun converse(socket: Socket, bytes: String) {
        socket.soTimeout = 5_000
        val head = StringBuilder()
        while (!head.endsWith("\r\n\r\n")) {
            val next = socket.inputStream.read()
            if (next < 0) return
            head.append(next.toChar())
        }
        socket.outputStream.write(bytes.toByteArray(Charsets.ISO_8859_1))
        socket.shutdownOutput()
        // If it were closed at once, bytes that the client has not read yet could be lost.
        while (socket.inputStream.read() >= 0) continue
    }
}
