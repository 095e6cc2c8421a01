package threadgauge.contract.testkit.process

import java.io.File
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpClient.Version
import java.net.http.HttpRequest
import java.net.http.HttpRequest.BodyPublishers
import java.net.http.HttpResponse
import java.net.http.HttpResponse.BodyHandlers
import javax.net.ssl.SSLContext
import javax.net.ssl.SSLParameters
import kotlin.time.Duration.Companion.seconds
import org.junit.jupiter.api.Assertions.assertEquals
import threadgauge.contract.check.Check
import threadgauge.contract.client.Access
import threadgauge.contract.client.ContractClient

/**
 * A stack with some of its options, in a process of its own, and a client for it. By default the client sends the
 * headers that the options require. The server uses TLS where there is an SSL context, [tls]. Used by one thread;
 * another may call [start] before.
 */
internal class FeatureServer private constructor(
    main: String,
    private val shipped: ShippedStack,
    private val tls: SSLContext?,
) {
    private val process = ServerProcess(main, shipped)

    /** Set by [start]. */
    @Volatile
    private lateinit var base: URI

    val output: String get() = process.output
    val sends: Map<String, String> get() = shipped.sends

    /** [stack] is in the `stacks.yaml` of the plain edition's [folder]. Its backend refuses connections. */
    constructor(main: String, folder: String, stack: String, options: List<String>) : this(
        main,
        ShippedStack.read(stack, File("../$folder/stacks.yaml"), true, Certificates.endpoints + NO_UPSTREAM, options),
        Certificates.sslContext.takeIf { options.any { it == "tls" || it == "http2" } },
    )

    /** As the bench accesses it. */
    private fun access(isHttp2: Boolean = false) =
        Access(base, shipped.sends, tls, isHttp2, shipped.adds, shipped.login)

    /** Null where the server keeps the rule. */
    fun violation(check: Check, isHttp2: Boolean = false): String? =
        ContractClient(access(isHttp2), shipped.name, shipped.model, 30.seconds).use(check::violation)

    fun start() {
        val plain = process.start()
        base = if (tls == null) plain else URI("https://${plain.authority}")
    }

    fun stop() = process.stop()

    fun get(path: String, vararg headers: Pair<String, String>) = send("GET", path, sends + headers)

    /** Requests [path], and returns the line of the log about it. [waits] for the line; otherwise null without one. */
    fun logged(path: String, waits: Boolean): String? {
        get(path)
        val end = System.nanoTime() + if (waits) LOGGED_WITHIN_NANOS else 0
        while (true) {
            val line = output.lines().firstOrNull { path in it }
            if (line != null || System.nanoTime() >= end) return line
            Thread.sleep(20)
        }
    }

    /** On a connection of its own, so that every request shows the result of a handshake. */
    fun send(
        method: String,
        path: String,
        headers: Map<String, String>,
        body: String? = null,
        version: Version = Version.HTTP_1_1,
        protocol: String? = null,
    ): HttpResponse<ByteArray> {
        val client = HttpClient.newBuilder().version(version)
        tls?.let(client::sslContext)
        protocol?.let { client.sslParameters(SSLParameters(null, arrayOf(it))) }
        val request = HttpRequest.newBuilder(base.resolve(path))
            .method(method, body?.let(BodyPublishers::ofString) ?: BodyPublishers.noBody())
        headers.forEach(request::header)
        return client.build().use { it.send(request.build(), BodyHandlers.ofByteArray()) }
    }

    /** Host and port. */
    val authority: String get() = base.authority
}

private val NO_UPSTREAM = "upstream" to "http://127.0.0.1:1"

/** Tomcat flushes its access log every ten seconds. */
private const val LOGGED_WITHIN_NANOS = 20_000_000_000L

internal fun HttpResponse<*>.header(name: String): String? = headers().firstValue(name).orElse(null)

/** The cookie that the answer sets, as a client sends it back. Null where it sets none. */
internal val HttpResponse<*>.cookie: String? get() = header("set-cookie")?.substringBefore(';')

internal fun HttpResponse<ByteArray>.mustBeProblem(status: Int, title: String, detail: String) {
    val body = body().decodeToString()
    assertEquals("""{"type":"about:blank","title":"$title","status":$status,"detail":"$detail"}""", body)
    assertEquals(status, statusCode())
    assertEquals("application/problem+json", header("content-type")?.substringBefore(';'))
}
