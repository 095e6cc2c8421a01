package threadgauge.load.agent

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.maps.shouldBeEmpty
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import io.netty.pkitesting.CertificateBuilder
import io.netty.pkitesting.CertificateBuilder.Algorithm
import io.netty.pkitesting.X509Bundle
import java.net.InetAddress
import java.util.concurrent.ConcurrentLinkedQueue
import javax.net.ssl.SNIHostName
import javax.net.ssl.SSLContext
import javax.net.ssl.SSLServerSocket
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.load.http.TlsOffer
import threadgauge.load.http.serverName
import threadgauge.model.Load
import threadgauge.model.Outcome
import threadgauge.model.failure.AnswerFault
import threadgauge.model.request.Connections
import threadgauge.model.request.Protocol
import threadgauge.model.request.Request
import threadgauge.model.request.Tls
import threadgauge.model.request.TlsSession
import threadgauge.run.launch.SingleRequest
import threadgauge.target.Endpoint

/** The load agent and the client that checks for readiness use TLS in the same way. */
@Tag("ports")
class TlsTest : EngineTest() {
    @Test
    fun `both connect to a server with one TLS version, and the record has the agreed parameters`() {
        for (version in TlsOffer.versions) secureServer(ECDSA, versions = listOf(version)).use { server ->
            val connections = Connections(tls = Tls(ECDSA.certificatePathPEM))
            ask(server, connections).shouldBeNull()
            val result = load(server, connections)
            result.done.failures.shouldBeEmpty()
            result.done.tls.single().protocol shouldBe version
            result.done.tls.single() shouldBe firstAnswer(server, connections)!!.tls
        }
    }

    @Test
    fun `both connect to a server with one cipher suite, whichever it is`() {
        for (cipher in TlsOffer.ciphers(Protocol.HTTP_1_1)) {
            val certificate = if ("_RSA_" in cipher) RSA else ECDSA
            secureServer(certificate, ciphers = listOf(cipher)).use { server ->
                val connections = Connections(tls = Tls(certificate.certificatePathPEM))
                withClue(cipher) {
                    ask(server, connections).shouldBeNull()
                    val result = load(server, connections)
                    result.done.failures.shouldBeEmpty()
                    result.done.tls.map { it.cipher } shouldContainExactly listOf(cipher)
                }
            }
        }
    }

    @Test
    fun `neither connects to a server with older TLS versions`() {
        secureServer(ECDSA, versions = listOf("TLSv1.1")).use { server ->
            val connections = Connections(tls = Tls(insecure = true))
            ask(server, connections).shouldBeInstanceOf<AnswerFault.Tls>()
            load(server, connections).done.failures shouldBe mapOf(Outcome.TLS_FAILED to 2L)
        }
    }

    @Test
    fun `both send the name of a host, and neither an address`() {
        fun names(host: String): List<List<String>> {
            val seen = ConcurrentLinkedQueue<List<String>>()
            secureServer(ECDSA) { seen += serverNames.map { (it as SNIHostName).asciiName } }.use { server ->
                val connections = Connections(tls = Tls(insecure = true))
                ask(server, connections, host).shouldBeNull()
                load(server, connections, host).done.failures.shouldBeEmpty()
            }
            return seen.toList().distinct()
        }
        names("localhost") shouldContainExactly listOf(listOf("localhost"))
        names("127.0.0.1") shouldContainExactly listOf(emptyList())
        serverName("a.example.")!!.asciiName shouldBe "a.example"
        for (address in listOf("::1", "10.0.0.1", "fe80::1%eth0")) serverName(address).shouldBeNull()
    }

    @Test
    fun `neither accepts a certificate for another name, whoever signed it`() {
        secureServer(OTHER).use { server ->
            val connections = Connections(tls = Tls(OTHER.certificatePathPEM))
            ask(server, connections, "localhost") shouldBe AnswerFault.Certificate
            load(server, connections, "localhost").done.failures shouldBe mapOf(Outcome.TLS_FAILED to 2L)
        }
        secureServer(ECDSA).use { server ->
            val connections = Connections(tls = Tls(ECDSA.certificatePathPEM))
            ask(server, connections, "localhost").shouldBeNull()
            load(server, connections, "localhost").done.failures.shouldBeEmpty()
        }
    }

    @Test
    fun `HTTP2 offers no cipher suite that it forbids`() {
        TlsOffer.ciphers(Protocol.HTTP_2).none { "_CBC_" in it } shouldBe true
        TlsOffer.ciphers(Protocol.HTTP_1_1) shouldContain "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA"
    }

    @Test
    fun `equal TLS parameters of slices are reported once`() {
        val one = TlsSession("TLSv1.3", "TLS_AES_128_GCM_SHA256", "h2")
        val done = secureServer(ECDSA).use { load(it, Connections(tls = Tls(insecure = true))) }.done
        merge(listOf(done.copy(tls = listOf(one)), done.copy(tls = listOf(one, one.copy(alpn = null))))).tls shouldBe
            listOf(one, one.copy(alpn = null))
    }

    private fun load(server: ProgrammableServer, connections: Connections, host: String = "127.0.0.1") =
        load(server.port, Load.Loops(1, 2)) {
            val targets = listOf(Address(host, server.port))
            it.copy(connections = connections, targets = targets, connectTimeoutNanos = 2 * SECOND)
        }

    private fun ask(server: ProgrammableServer, connections: Connections, host: String = "127.0.0.1") =
        SingleRequest(Request(path = "/"), connections).use { it.ask(host, server.port) }

    private fun firstAnswer(server: ProgrammableServer, connections: Connections) =
        SingleRequest(Request(path = "/"), connections).use { it.firstAnswer(Endpoint("127.0.0.1", server.port)) }

    private fun secureServer(
        certificate: X509Bundle,
        versions: List<String> = emptyList(),
        ciphers: List<String> = emptyList(),
        look: ProgrammableServer.Exchange.() -> Unit = {},
    ): ProgrammableServer {
        val context = SSLContext.getInstance("TLS")
        context.init(certificate.toKeyManagerFactory().keyManagers, null, null)
        val socket = context.serverSocketFactory
            .createServerSocket(0, 100, InetAddress.getLoopbackAddress()) as SSLServerSocket
        if (versions.isNotEmpty()) socket.enabledProtocols = versions.toTypedArray()
        if (ciphers.isNotEmpty()) socket.enabledCipherSuites = ciphers.toTypedArray()
        return ProgrammableServer(socket) { look(); answer() }
    }

    private companion object {
        val ECDSA = certificate(Algorithm.ecp256)
        val RSA = certificate(Algorithm.rsa2048)
        val OTHER: X509Bundle = CertificateBuilder().subject("CN=other").addSanDnsName("other.test")
            .setIsCertificateAuthority(true).buildSelfSigned()

        fun certificate(algorithm: Algorithm): X509Bundle =
            CertificateBuilder().algorithm(algorithm).subject("CN=own").addSanIpAddress("127.0.0.1")
                .addSanDnsName("localhost").setIsCertificateAuthority(true).buildSelfSigned()
    }
}
