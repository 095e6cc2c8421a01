package threadgauge.load.agent

import io.kotest.matchers.ints.shouldBeInRange
import io.kotest.matchers.maps.shouldBeEmpty
import io.kotest.matchers.maps.shouldContainKey
import io.kotest.matchers.shouldBe
import io.netty.handler.ssl.ApplicationProtocolConfig
import io.netty.handler.ssl.ApplicationProtocolNames
import io.netty.handler.ssl.SslContext
import io.netty.handler.ssl.SslContextBuilder
import io.netty.handler.ssl.SslProvider
import io.netty.pkitesting.CertificateBuilder
import io.netty.pkitesting.X509Bundle
import java.net.InetAddress
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicInteger
import javax.net.ssl.SSLContext
import javax.net.ssl.SSLServerSocket
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.model.Load
import threadgauge.model.Outcome
import threadgauge.model.request.Connections
import threadgauge.model.request.Expectation
import threadgauge.model.request.Protocol
import threadgauge.model.request.Request
import threadgauge.model.request.Tls

/** HTTP/1.1 and HTTP/2, in the clear and over TLS 1.3. */
@Tag("ports")
class ProtocolsTest : EngineTest() {
    private val http2 = Connections(Protocol.HTTP_2)

    @Test
    fun `HTTP over TLS 1_3, with the certificate authority`() {
        val versions = ConcurrentLinkedQueue<String>()
        val result = ProgrammableServer(secureSocket()) { versions += protocol; answer() }.use { server ->
            load(server, Load.Loops(3, 10)) { it.copy(connections = Connections(tls = Tls(own.certificatePathPEM))) }
        }
        result.done.failures.shouldBeEmpty()
        result.done.answered shouldBe 30
        versions.toSet() shouldBe setOf("TLSv1.3")
    }

    @Test
    fun `a certificate without a trusted authority is rejected, unless insecure is set`() {
        fun failures(tls: Tls) = ProgrammableServer(secureSocket()) { answer() }.use { server ->
            load(server, Load.Loops(1, 3)) { it.copy(connections = Connections(tls = tls)) }
        }.done.failures
        failures(Tls()) shouldBe mapOf(Outcome.TLS_FAILED to 3L)
        failures(Tls(stranger.certificatePathPEM)) shouldBe mapOf(Outcome.TLS_FAILED to 3L)
        failures(Tls(insecure = true)).shouldBeEmpty()
    }

    @Test
    fun `a server that speaks no TLS fails the handshake`() {
        val result = ProgrammableServer { raw("HTTP/1.1 400 Bad Request\r\n\r\n"); closeConnection() }.use { server ->
            load(server, Load.Loops(1, 3)) {
                it.copy(connections = Connections(tls = Tls(insecure = true)), connectTimeoutNanos = 200 * MILLI)
            }
        }
        result.done.answered shouldBe 0
        result.done.failures shouldBe mapOf(Outcome.TLS_FAILED to 3L)
    }

    @Test
    fun `HTTP2 by prior knowledge, with templates, headers and bodies`() {
        val seen = ConcurrentLinkedQueue<String>()
        val request =
            Request("POST", "/seats/{seq}", mapOf("X-Trace" to "t{seq}"), "n={seq}", expect = Expectation(body = "ok"))
        val result = Http2Server {
            seen += listOf(headers.method(), headers.path(), headers.scheme(), headers["x-trace"], body)
                .joinToString(" ")
            answer()
        }.use { server -> load(server.port, Load.Loops(2, 25)) { it.copy(request = request, connections = http2) } }
        result.done.failures.shouldBeEmpty()
        seen.toSet() shouldBe (0..49).map { "POST /seats/$it http t$it n=$it" }.toSet()
        seen.size shouldBe 50
    }

    @Test
    fun `HTTP2 over TLS, several streams on each connection`() {
        val waiting = ArrayList<Http2Server.Stream>()
        // No request is answered before twenty are there: with fewer streams at a time this would never end.
        Http2Server(serverContext(ApplicationProtocolNames.HTTP_2)) {
            waiting += this
            if (waiting.size == 20) waiting.forEach { it.answer() }.also { waiting.clear() }
        }.use { server ->
            val result = load(server.port, Load.Loops(20, 10)) {
                it.copy(connections = Connections(Protocol.HTTP_2, Tls(own.certificatePathPEM), streams = 10))
            }
            result.done.failures.shouldBeEmpty()
            server.connections.get() shouldBe 2
            result.done.connectionsOpened shouldBe 2
            result.done.answered shouldBe 200
        }
    }

    @Test
    fun `a server that agrees only on HTTP1_1 fails HTTP2`() {
        val result = Http2Server(serverContext(ApplicationProtocolNames.HTTP_1_1)) { answer() }.use { server ->
            load(server.port, Load.Loops(2, 3)) {
                it.copy(connections = Connections(Protocol.HTTP_2, Tls(insecure = true)))
            }
        }
        result.done.failures shouldBe mapOf(Outcome.TLS_FAILED to 6L)
    }

    @Test
    fun `each kind of answer over HTTP2 has its own count`() {
        val result = Http2Server { number ->
            when (number % 10) {
                0 -> answer(status = "503")
                1 -> answer(status = "404")
                2 -> answer(body = "wrong")
                3 -> reset()
                else -> answer()
            }
        }.use { server -> load(server.port, Load.Loops(1, 100)) { it.copy(connections = http2) } }
        result.done.failures shouldBe mapOf(
            Outcome.SERVER_ERROR to 10L, Outcome.CLIENT_ERROR to 10L, Outcome.WRONG_BODY to 10L,
            Outcome.STREAM_RESET to 10L,
        )
        result.done.answered shouldBe 60
        result.done.connectionsOpened shouldBe 1
    }

    @Test
    fun `after GOAWAY the next request opens a new connection, and nothing fails`() {
        Http2Server { number -> if (number % 5 == 4) goAway().also { answer() } else answer() }.use { server ->
            val result = load(server.port, Load.Loops(1, 50)) { it.copy(connections = http2) }
            result.done.failures.shouldBeEmpty()
            result.done.answered shouldBe 50
            server.connections.get() shouldBeInRange 10..11
        }
    }

    @Test
    fun `a connection that breaks fails every request on it, and the users go on`() {
        val arrived = AtomicInteger()
        val result = Http2Server { number ->
            if (number >= 4) answer() else if (arrived.incrementAndGet() == 4) closeConnection()
        }.use { server -> load(server.port, Load.Loops(4, 5)) { it.copy(connections = http2.copy(streams = 4)) } }
        result.done.failures shouldBe mapOf(Outcome.RESET to 4L)
        result.done.answered shouldBe 16
    }

    @Test
    fun `a stream that is never answered times out alone`() {
        val result = Http2Server { number -> if (number > 0) answer() }.use { server ->
            load(server.port, Load.Users(3, 1_500 * MILLI)) {
                it.copy(connections = http2.copy(streams = 3), responseTimeoutNanos = 500 * MILLI)
            }
        }
        result.done.failures shouldBe mapOf(Outcome.RESPONSE_TIMEOUT to 1L)
        result.done.connectionsOpened shouldBe 1
    }

    @Test
    fun `more streams than the server allows wait, and none is lost`() {
        Http2Server(maxStreams = 3) { later(5) { answer() } }.use { server ->
            val result = load(server.port, Load.Loops(10, 10)) { it.copy(connections = http2.copy(streams = 10)) }
            result.done.failures.shouldBeEmpty()
            result.done.answered shouldBe 100
        }
    }

    @Test
    fun `a large body over HTTP2 is received completely`() {
        val large = "x".repeat(3_000_000)
        val result = Http2Server { answer(large) }.use { server ->
            load(server.port, Load.Loops(2, 3)) {
                it.copy(request = Request(path = "/", expect = Expectation(body = large)), connections = http2)
            }
        }
        result.done.failures.shouldBeEmpty()
        result.done.received.bodyBytes shouldBe 6L * large.length
    }

    @Test
    fun `a server that does not speak HTTP2 gives no answer`() {
        val result = ProgrammableServer { answer() }
            .use { server -> load(server, Load.Loops(1, 3)) { it.copy(connections = http2) } }
        result.done.answered shouldBe 0
        result.done.failures shouldContainKey Outcome.MALFORMED
    }

    private companion object {
        val own: X509Bundle = certificate("CN=own")
        val stranger: X509Bundle = certificate("CN=stranger")

        fun certificate(subject: String): X509Bundle =
            CertificateBuilder().subject(subject).addSanIpAddress("127.0.0.1").setIsCertificateAuthority(true)
                .buildSelfSigned()

        fun serverContext(protocol: String): SslContext = SslContextBuilder.forServer(own.toKeyManagerFactory())
            .sslProvider(SslProvider.JDK)
            .applicationProtocolConfig(
                ApplicationProtocolConfig(
                    ApplicationProtocolConfig.Protocol.ALPN,
                    ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                    ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                    protocol,
                ),
            ).build()

        fun secureSocket(): SSLServerSocket {
            val context =
                SSLContext.getInstance("TLS").apply { init(own.toKeyManagerFactory().keyManagers, null, null) }
            return context.serverSocketFactory.createServerSocket(
                0, 1_000, InetAddress.getLoopbackAddress(),
            ) as SSLServerSocket
        }
    }
}
