package threadgauge.load.http

import io.kotest.assertions.withClue
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.ChannelInboundHandlerAdapter
import io.netty.channel.MultiThreadIoEventLoopGroup
import io.netty.channel.nio.NioIoHandler
import io.netty.channel.socket.nio.NioSocketChannel
import io.netty.handler.ssl.SslHandshakeCompletionEvent
import io.netty.pkitesting.CertificateBuilder
import io.netty.pkitesting.X509Bundle
import java.net.InetAddress
import java.net.InetSocketAddress
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit
import javax.net.ssl.ExtendedSSLSession
import javax.net.ssl.SNIHostName
import javax.net.ssl.SSLContext
import javax.net.ssl.SSLServerSocket
import javax.net.ssl.SSLSocket
import org.bouncycastle.asn1.x509.Extension
import org.bouncycastle.asn1.x509.GeneralName
import org.bouncycastle.asn1.x509.GeneralNames
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.model.request.Connections
import threadgauge.model.request.Protocol
import threadgauge.model.request.Tls

/** Certificates are believed for the names that curl believes them for, underscores among them. */
@Tag("ports")
class TlsNamesTest {
    @Test
    fun `a certificate is believed for its own names, and for no other`() {
        val own = certificate("shop_api", "plain.test", "*.star.test")
        for (host in listOf("shop_api", "SHOP_api", "plain.test", "one_a.star.test", "one.star.test")) {
            withClue(host) { failureOf(host, own, own).shouldBeNull() }
        }
        for (host in listOf("shop_apis", "other_api", "plain_a.test", "a_b.c.star.test", "_.test")) {
            withClue(host) { failureOf(host, own, own).causes() shouldContain "not for $host" }
        }
    }

    @Test
    fun `a certificate of the right name that nobody signed is not believed`() {
        failureOf("shop_api", certificate("shop_api"), certificate("shop_api")).causes() shouldContain
            "PKIX path validation failed"
    }

    @Test
    fun `a name without an underscore is asked for, and for one with it the server's only certificate is enough`() {
        val own = certificate("shop_api", "plain.test")
        askedFor("plain.test", own) shouldBe listOf("plain.test")
        askedFor("shop_api", own) shouldBe emptyList()
    }

    /** The server names that a client sends which asks for [host], and believes [own]. */
    private fun askedFor(host: String, own: X509Bundle): List<String> {
        val asked = CompletableFuture<List<String>>()
        failureOf(host, own, own) { asked.complete(it) }.shouldBeNull()
        return asked.get(10, TimeUnit.SECONDS)
    }

    private fun Throwable?.causes() = generateSequence(this) { it.cause }.joinToString()

    /** Why a client that believes [authority] does not believe that it speaks to [host] at a server with [shown]. */
    private fun failureOf(
        host: String,
        shown: X509Bundle,
        authority: X509Bundle,
        asked: (List<String>) -> Unit = {},
    ): Throwable? {
        val context = SSLContext.getInstance("TLS")
        context.init(shown.toKeyManagerFactory().keyManagers, null, null)
        val loopback = InetAddress.getByAddress(host, InetAddress.getLoopbackAddress().address)
        (context.serverSocketFactory.createServerSocket(0, 10, loopback) as SSLServerSocket).use { server ->
            Thread.startVirtualThread {
                runCatching {
                    (server.accept() as SSLSocket).use { socket ->
                        socket.startHandshake()
                        val names = (socket.session as ExtendedSSLSession).requestedServerNames
                        asked(names.map { (it as SNIHostName).asciiName })
                        socket.inputStream.read()
                    }
                }
            }
            val ended = CompletableFuture<Throwable?>()
            val tls = tlsClient(Tls(authority.certificatePathPEM), Protocol.HTTP_1_1)
            val address = InetSocketAddress(loopback, server.localPort)
            val dialer = Dialer(
                LOOPS.next(), NioSocketChannel::class.java, listOf(address), Connections(), tls, timeoutMillis = 10_000,
            )
            val handler = object : ChannelInboundHandlerAdapter() {
                override fun userEventTriggered(context: ChannelHandlerContext, event: Any) {
                    if (event is SslHandshakeCompletionEvent) {
                        ended.complete(event.cause())
                        context.close()
                    }
                }
            }
            dialer.dial(0, handler) { ended.completeExceptionally(IllegalStateException("$it")) }
            return ended.get(20, TimeUnit.SECONDS)
        }
    }

    private companion object {
        val LOOPS = MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory())

        @JvmStatic
        @AfterAll
        fun stop() {
            LOOPS.shutdownGracefully(0, 1, TimeUnit.SECONDS)
        }

        fun certificate(vararg names: String): X509Bundle {
            val builder = CertificateBuilder().algorithm(CertificateBuilder.Algorithm.ecp256).subject("CN=own")
            // Not addSanDnsName, which takes no underscores.
            val alternatives = GeneralNames(names.map { GeneralName(GeneralName.dNSName, it) }.toTypedArray())
            builder.addExtensionOctetString(Extension.subjectAlternativeName.id, false, alternatives.encoded)
            return builder.setIsCertificateAuthority(true).buildSelfSigned()
        }
    }
}
