package threadgauge.run.launch

import java.io.IOException
import java.net.ConnectException
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.net.http.HttpTimeoutException
import java.security.MessageDigest
import java.time.Duration
import java.util.HexFormat
import javax.net.ssl.SSLException
import threadgauge.load.agent.Address
import threadgauge.load.agent.authority
import threadgauge.load.agent.rendered
import threadgauge.model.Connections
import threadgauge.model.FirstAnswer
import threadgauge.model.Protocol
import threadgauge.model.Request
import threadgauge.model.TlsSession
import threadgauge.target.Wrong

/**
 * System properties with which Java's client lets a request name its Host, and reads heads and interim answers without
 * a limit of its own: those are for the load agent to set. The client reads them once.
 */
val JAVA_CLIENT_PROPERTIES = mapOf(
    "jdk.httpclient.allowRestrictedHeaders" to "host",
    "jdk.http.maxHeaderSize" to "0",
    "jdk.httpclient.maxNonFinalResponses" to "0",
)

/**
 * Sends [request] alone, outside of any load, as the agent would send its first ones: to find out whether a service is
 * ready, and what it answers. A Host of the user's own needs [JAVA_CLIENT_PROPERTIES] before anything uses Java's
 * client. Belongs to the run's thread.
 */
internal class SingleRequest(private val request: Request, private val connections: Connections) : AutoCloseable {
    private val client: HttpClient = HttpClient.newBuilder()
        .version(
            if (connections.protocol == Protocol.HTTP_2) HttpClient.Version.HTTP_2 else HttpClient.Version.HTTP_1_1,
        )
        .followRedirects(HttpClient.Redirect.NEVER)
        .connectTimeout(PATIENCE)
        .apply {
            connections.tls?.let { sslContext(sslContext(it)).sslParameters(offer(connections.protocol)) }
        }
        .build()
    private var number = 0L

    /** What is wrong with the answer of the server at [host] and [port], or null for a correct one. */
    fun ask(host: String, port: Int): Wrong? = try {
        val status = send(host, port).statusCode()
        if (isExpected(status)) {
            null
        } else {
            Wrong("answered $line with status $status", status in 300..499, remedyFor(status))
        }
    } catch (_: ConnectException) {
        Wrong("refused the connection")
    } catch (_: HttpTimeoutException) {
        Wrong("did not answer $line in ${PATIENCE.toSeconds()} s")
    } catch (failed: SSLException) {
        val isCertificate = "certificat" in failed.message.orEmpty()
        val words = if (isCertificate) "has a certificate that Java does not believe" else "found no agreement on TLS (${failed.message})"
        Wrong(words, isFinal = true, remedy = if (isCertificate) "--insecure believes any certificate" else null)
    } catch (failed: IOException) {
        Wrong("answered $line with something else than HTTP (${failed.message})")
    } catch (failed: IllegalArgumentException) {
        // That is how Java's client says that a length is no number.
        Wrong("answered $line with something else than HTTP (${failed.message})")
    }

    /**
     * What a correct answer looks like now. Two requests tell whether it is always the same; null where either failed.
     */
    fun firstAnswer(host: String, port: Int): FirstAnswer? = try {
        val (first, second) = List(2) { send(host, port) }
        val type = first.headers().firstValue("content-type").orElse(null)
        val isStable = first.body().contentEquals(second.body())
        FirstAnswer(
            first.statusCode(), first.body().size.toLong(), sha256(first.body()), type, isStable, first.tlsSession(),
        )
    } catch (_: IOException) {
        null
    } catch (_: IllegalArgumentException) {
        null
    }

    override fun close() = client.close()

    private val line get() = "${request.method} ${request.path}"

    private fun send(host: String, port: Int): HttpResponse<ByteArray> {
        val asked = rendered(request, number++)
        val scheme = if (connections.tls == null) "http" else "https"
        val body = asked.body?.let(HttpRequest.BodyPublishers::ofString) ?: HttpRequest.BodyPublishers.noBody()
        val builder = HttpRequest.newBuilder(URI("$scheme://${Address(host, port).authority}${asked.path}"))
            .timeout(PATIENCE).method(asked.method, body).header("User-Agent", "threadgauge")
        for ((name, value) in asked.headers) if (name.lowercase() !in NOT_ALLOWED) builder.setHeader(name, value)
        return client.send(builder.build(), HttpResponse.BodyHandlers.ofByteArray())
    }

    private fun isExpected(status: Int) =
        request.expect.statuses.let { if (it.isEmpty()) status in 200..299 else status in it }

    private fun remedyFor(status: Int) = when (status) {
        401, 403 -> "The service wants to know who asks: give headers in a --request file"
        404 -> "Give a path that it serves with --path"
        405 -> "Give another method in a --request file"
        in 300..399 -> "It sends elsewhere: give that place with --path"
        else -> null
    }

    private companion object {
        /** Headers that belong to the connection, which this client makes itself. */
        val NOT_ALLOWED = setOf("connection", "content-length", "expect", "upgrade", "transfer-encoding")
        val PATIENCE: Duration = Duration.ofSeconds(10)
    }
}

/** HTTP/2 over TLS is always by ALPN (RFC 9113, section 3.2); what was said of HTTP/1.1 the client does not tell. */
private fun HttpResponse<*>.tlsSession(): TlsSession? = sslSession().orElse(null)?.let { session ->
    TlsSession(session.protocol, session.cipherSuite, "h2".takeIf { version() == HttpClient.Version.HTTP_2 })
}

private fun sha256(bytes: ByteArray) = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes))
