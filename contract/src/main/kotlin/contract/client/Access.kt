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
    /** Headers that every request must carry, such as `Authorization`. */
    private val sends: Map<String, String> = emptyMap(),
    /** Trusts the server's certificate, where [base] begins with `https`. Null: the authorities of this Java. */
    private val tls: SSLContext? = null,
    private val isHttp2: Boolean = false,
    /** Names, in lower case, of the headers that the options of the server may add to answers. */
    internal val adds: Set<String> = emptySet(),
    /** Sent before the first request, where the server requires a login. */
    private val login: Login? = null,
) {
    /** A form, sent by `POST` to [path]. */
    class Login(val path: String, val form: String)

    /** The cookie that the login set. If the login fails, the next request tries again. */
    private val cookie: String? by lazy { login?.let(::logIn) }

    /** What every request must carry now. Throws [IOException] where there is a login and it fails. */
    internal val headers: Map<String, String> get() = cookie?.let { sends + ("Cookie" to it) } ?: sends

    /** For the caller to close. It does not follow redirects, which are answers like others. */
    fun newClient(connectWithin: Duration): HttpClient = HttpClient.newBuilder()
        .version(if (isHttp2) HttpClient.Version.HTTP_2 else HttpClient.Version.HTTP_1_1)
        .connectTimeout(connectWithin).apply { tls?.let(::sslContext) }.build()

    /**
     * A connection without a client on top, for bytes that no client would send. Over TLS it negotiates no protocol,
     * which means HTTP/1.1.
     */
    fun connect(within: Duration): Socket {
        val plain = Socket()
        try {
            plain.connect(InetSocketAddress(base.host, base.port), within.toMillis().toInt())
            if (base.scheme != "https") return plain
            return (tls ?: SSLContext.getDefault()).socketFactory.createSocket(plain, base.host, base.port, true)
        } catch (failure: IOException) {
            plain.close()
            throw failure
        }
    }

    /** A request for [path] with all that it must carry. Throws [IOException] where there is a login and it fails. */
    fun request(path: String): HttpRequest.Builder =
        HttpRequest.newBuilder(base.resolve(path)).apply { headers.forEach(::setHeader) }

    private fun logIn(login: Login): String {
        val request = HttpRequest.newBuilder(base.resolve(login.path)).timeout(LOGIN_TIMEOUT)
            .POST(BodyPublishers.ofString(login.form))
        sends.forEach(request::setHeader)
        request.setHeader("Content-Type", "application/x-www-form-urlencoded")
        val answer = newClient(LOGIN_TIMEOUT).use { it.send(request.build(), BodyHandlers.discarding()) }
        val cookies = answer.headers().allValues("set-cookie").map { it.substringBefore(';') }
        if (cookies.isEmpty()) {
            throw IOException("POST ${login.path} was answered with status ${answer.statusCode()} and no cookie")
        }
        return cookies.joinToString("; ")
    }

    private companion object {
        val LOGIN_TIMEOUT: Duration = Duration.ofSeconds(10)
    }
}
