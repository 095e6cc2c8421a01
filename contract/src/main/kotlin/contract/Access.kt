package threadgauge.contract

import java.io.IOException
import java.net.InetSocketAddress
import java.net.Socket
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.time.Duration
import javax.net.ssl.SSLContext

/** How one server is reached. Immutable. */
class Access(
    val base: URI,
    /** What every request must carry to be let in, such as `Authorization`. */
    private val sends: Map<String, String> = emptyMap(),
    /** Whom to believe, where [base] begins with `https`; null: the authorities of this Java. */
    private val trust: SSLContext? = null,
    private val isHttp2: Boolean = false,
) {
    /** For the caller to close. Redirects are answers like others, so it does not follow them. */
    fun newClient(connectWithin: Duration): HttpClient = HttpClient.newBuilder()
        .version(if (isHttp2) HttpClient.Version.HTTP_2 else HttpClient.Version.HTTP_1_1)
        .connectTimeout(connectWithin).apply { trust?.let(::sslContext) }.build()

    /** A connection with no client above it, for what no client would send. Over TLS without a word on the protocol: that is HTTP/1.1. */
    fun connect(within: Duration): Socket {
        val plain = Socket()
        try {
            plain.connect(InetSocketAddress(base.host, base.port), within.toMillis().toInt())
            if (base.scheme != "https") return plain
            return (trust ?: SSLContext.getDefault()).socketFactory.createSocket(plain, base.host, base.port, true)
        } catch (failure: IOException) {
            plain.close()
            throw failure
        }
    }

    /** A request for [path] that has all it must carry. */
    fun request(path: String): HttpRequest.Builder = HttpRequest.newBuilder(base.resolve(path)).apply { sends.forEach(::setHeader) }
}
