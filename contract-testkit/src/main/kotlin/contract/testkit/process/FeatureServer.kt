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
import threadgauge.contract.client.Visit

/**
 * A stack with some of its options, in a process of its own, and who asks it: with the headers that its options want, unless a request
 * says otherwise. It speaks TLS where there is a [trust]. Used by one thread, but [start] may be called by another before.
 */
internal class FeatureServer private constructor(main: String, private val shipped: ShippedStack, private val trust: SSLContext?) {
    private val process = ServerProcess(main, shipped)

    /** Set by [start]. */
    @Volatile
    private lateinit var base: URI

    val output: String get() = process.output
    val sends: Map<String, String> get() = shipped.sends

    /** [stack] stands in the `stacks.yaml` of the plain edition's [folder]. It has a backend for which nobody listens. */
    constructor(main: String, folder: String, stack: String, options: List<String>) : this(
        main,
        ShippedStack.read(stack, File("../$folder/stacks.yaml"), true, Certificates.places + NO_UPSTREAM, options),
        Certificates.trust.takeIf { options.any { it == "tls" || it == "http2" } },
    )

    /** As the bench reaches it. */
    private fun access(isHttp2: Boolean = false) = Access(base, shipped.sends, trust, isHttp2, shipped.adds, shipped.login)

    /** Null where the server keeps it. */
    fun violation(check: Check, isHttp2: Boolean = false): String? =
        Visit(access(isHttp2), shipped.name, shipped.model, 10.seconds).use(check::violation)

    fun start() {
        val plain = process.start()
        base = if (trust == null) plain else URI("https://${plain.authority}")
    }

    fun stop() = process.stop()

    fun get(path: String, vararg headers: Pair<String, String>) = ask("GET", path, sends + headers)

    /** The line that is logged of a call of [path], or null. [waits] for it to be written. */
    fun logged(path: String, waits: Boolean): String? {
        get(path)
        val end = System.nanoTime() + if (waits) LOGGED_WITHIN_NANOS else 0
        while (true) {
            val line = output.lines().firstOrNull { path in it }
            if (line != null || System.nanoTime() >= end) return line
            Thread.sleep(20)
        }
    }

    /** Each with a connection of its own, so that every request shows what a handshake does. */
    fun ask(
        method: String,
        path: String,
        headers: Map<String, String>,
        body: String? = null,
        version: Version = Version.HTTP_1_1,
        protocol: String? = null,
    ): HttpResponse<ByteArray> {
        val client = HttpClient.newBuilder().version(version)
        trust?.let(client::sslContext)
        protocol?.let { client.sslParameters(SSLParameters(null, arrayOf(it))) }
        val request = HttpRequest.newBuilder(base.resolve(path))
            .method(method, body?.let(BodyPublishers::ofString) ?: BodyPublishers.noBody())
        headers.forEach(request::header)
        return client.build().use { it.send(request.build(), BodyHandlers.ofByteArray()) }
    }

    /** Where it is, without what tells how to get there. */
    val authority: String get() = base.authority
}

private val NO_UPSTREAM = "upstream" to "http://127.0.0.1:1"

/** Tomcat writes its lines ten seconds later where nothing presses. */
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

internal fun HttpResponse<ByteArray>.mustBeRefused(scheme: String) {
    mustBeProblem(401, "Unauthorized", "this server answers only to those it knows")
    assertEquals(scheme, header("www-authenticate")?.substringBefore(' '))
}

/** A token that is signed as the right one is, and was valid until the year 2001. */
internal const val EXPIRED = "Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ0ZXN0ZXIiLCJleHAiOjEwMDAwMDAwMDB9" +
    ".1JBVZ5PMaj_5qBmRnYXf_YH2BxJQoiyVO3vO5-ueo5A"
