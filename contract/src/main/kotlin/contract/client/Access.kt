package threadgauge.contract.client

import java.io.IOException
import java.net.InetSocketAddress
import java.net.Socket
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpRequest.BodyPublishers
import java.net.http.HttpResponse.BodyHandlers
import java.time.Duration
import javax.net.ssl.SSLContext

/** How one server is reached. Any thread may use it. */
class Access(
    val base: URI,
    /** What every request must carry to be let in, such as `Authorization`. */
    private val sends: Map<String, String> = emptyMap(),
    /** Whom to believe, where [base] begins with `https`; null: the authorities of this Java. */
    private val trust: SSLContext? = null,
    private val isHttp2: Boolean = false,
    /** Names of the headers, in lower case, with which its options may mark answers. */
    internal val adds: Set<String> = emptySet(),
    /** Sent before the first request, where the server serves only those who did. */
    private val login: Login? = null,
) {
    /** A form, sent by `POST` to [path]. */
    class Login(val path: String, val form: String)

    /** What the login gave. Where it fails, the next request tries again. */
    private val cookie: String? by lazy { login?.let(::enter) }

    /** What every request must carry now. Throws [IOException] where there is a login and it fails. */
    internal val headers: Map<String, String> get() = cookie?.let { sends + ("Cookie" to it) } ?: sends

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

    /** A request for [path] that has all it must carry. Throws [IOException] where there is a login and it fails. */
    fun request(path: String): HttpRequest.Builder = HttpRequest.newBuilder(base.resolve(path)).apply { headers.forEach(::setHeader) }

    private fun enter(login: Login): String {
        val request = HttpRequest.newBuilder(base.resolve(login.path)).timeout(LOGIN_PATIENCE).POST(BodyPublishers.ofString(login.form))
        sends.forEach(request::setHeader)
        request.setHeader("Content-Type", "application/x-www-form-urlencoded")
        val answer = newClient(LOGIN_PATIENCE).use { it.send(request.build(), BodyHandlers.discarding()) }
        val cookies = answer.headers().allValues("set-cookie").map { it.substringBefore(';') }
        if (cookies.isEmpty()) throw IOException("POST ${login.path} was answered with status ${answer.statusCode()} and no cookie")
        return cookies.joinToString("; ")
    }

    private companion object {
        val LOGIN_PATIENCE: Duration = Duration.ofSeconds(10)
    }
}
