package threadgauge.load.agent

import io.kotest.assertions.assertSoftly
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeUnique
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldNotBeEmpty
import io.netty.handler.codec.http2.DefaultHttp2Headers
import io.netty.handler.codec.http2.Http2Error
import io.netty.handler.ssl.ApplicationProtocolConfig
import io.netty.handler.ssl.ApplicationProtocolNames
import io.netty.handler.ssl.SslContext
import io.netty.handler.ssl.SslContextBuilder
import io.netty.handler.ssl.SslProvider
import io.netty.pkitesting.CertificateBuilder
import java.io.IOException
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.time.Duration
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.load.http.clause.CURL_VERSION
import threadgauge.load.http.clause.OtherClients
import threadgauge.load.http.clause.REFUSED
import threadgauge.model.Load
import threadgauge.model.Outcome
import threadgauge.model.request.Connections
import threadgauge.model.request.Expectation
import threadgauge.model.request.Protocol
import threadgauge.model.request.Request
import threadgauge.model.request.Tls
import threadgauge.run.launch.sslContext

/** What RFC 9113 demands of a client, clause by clause, beside the result of Java's client and curl. */
@Tag("ports")
class Http2ClausesTest : EngineTest() {
    /** [ours] is how the request ends, null for an answer; [java] and [curl] are a status, or [REFUSED]. */
    private class Clause(
        val rule: String,
        val ours: Outcome?,
        val java: String = if (ours == null) "200" else REFUSED,
        val curl: String = java,
        val why: String = "",
        val method: String = "GET",
        val serve: Http2Server.Stream.() -> Unit,
    )

    @Test
    fun `each clause has the expected outcome, without a timeout`() = assertSoftly {
        for (clause in CLAUSES) withClue(clause.rule) { ours(clause) shouldBe clause.ours }
    }

    @Test
    fun `Java's client has the result that the table states`() = assertSoftly {
        for (clause in CLAUSES) withClue(clause.rule) { java(clause) shouldBe clause.java }
    }

    /** Other versions may have other results. */
    @Test
    @Tag("processes")
    fun `curl has the result that the table states`() {
        assumeTrue(OtherClients.curlVersion == CURL_VERSION, "it is not curl $CURL_VERSION")
        assertSoftly { for (clause in CLAUSES) withClue(clause.rule) { curl(clause) shouldBe clause.curl } }
    }

    @Test
    fun `each clause is listed once, with the reason where other clients differ`() {
        CLAUSES.map { it.rule }.shouldBeUnique()
        for (clause in CLAUSES) {
            val differ = listOf(clause.java, clause.curl).any { (it == REFUSED) != (clause.ours != null) }
            withClue(clause.rule) { if (differ) clause.why.shouldNotBeEmpty() else clause.why shouldBe "" }
        }
    }

    private fun ours(clause: Clause): Outcome? = serving(clause) { port ->
        val every = (200..999).toList()
        val request = Request(clause.method, "/", expect = Expectation(statuses = every))
        val connections = Connections(Protocol.HTTP_2, Tls(insecure = true))
        load(port, Load.Loops(1, 1)) {
            it.copy(request = request, connections = connections, responseTimeoutNanos = 3 * SECOND)
        }.done.failures.keys.singleOrNull()
    }

    private fun java(clause: Clause): String = serving(clause) { port ->
        val request = HttpRequest.newBuilder(URI("https://127.0.0.1:$port/")).timeout(Duration.ofSeconds(3))
            .method(clause.method, HttpRequest.BodyPublishers.noBody()).build()
        HttpClient.newBuilder().sslContext(sslContext(Tls(insecure = true))).build().use { client ->
            try {
                client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode().toString()
            } catch (_: IOException) {
                REFUSED
            } catch (_: IllegalArgumentException) {
                REFUSED
            }
        }
    }

    private fun curl(clause: Clause): String = serving(clause) { port ->
        val head = if (clause.method == "HEAD") listOf("--head") else emptyList()
        val words = listOf("curl", "--silent", "--http2", "--insecure", "--max-time", "3", "--output", "/dev/null")
        val all = words + head + listOf("--write-out", "%{http_code}", "https://127.0.0.1:$port/")
        val process = ProcessBuilder(all).start()
        val status = process.inputReader().readText()
        if (process.waitFor() == 0) status else REFUSED
    }

    private fun <T> serving(clause: Clause, ask: (port: Int) -> T): T =
        Http2Server(TLS) { clause.serve(this) }.use { ask(it.port) }

    private companion object {
        const val NO_SUM = "Java does not add up what came"
        val CLAUSES = listOf(
            Clause("8.1: an answer", null) { answer() },
            Clause("8.1: an interim answer comes before it", null) {
                interim(DefaultHttp2Headers().status("103").add("link", "</a.css>"))
                answer()
            },
            Clause("8.1: several", null) { repeat(3) { interim(DefaultHttp2Headers().status("102")) }; answer() },
            Clause("8.1: an interim answer is no end", Outcome.STREAM_MALFORMED) { headOnly("103") {} },
            Clause("8.1: trailers follow", null) { answerWithTrailers() },
            Clause("8.1: a body before its head", Outcome.STREAM_MALFORMED, "200", REFUSED, "Java takes any order") {
                answerBackwards()
            },
            Clause("8.1: a reset without an error after a whole answer", null) { resetWhenAnswered() },
            Clause("8.1.1: a length that is right", null) { answer { add("content-length", "2") } },
            Clause("8.1.1: equal lengths", null, curl = REFUSED, why = "curl takes one length alone") {
                answer { add("content-length", "2").add("content-length", "2") }
            },
            Clause("8.1.1: a length that is too long", Outcome.STREAM_MALFORMED, "200", REFUSED, NO_SUM) {
                answer { add("content-length", "9") }
            },
            Clause("8.1.1: one that is too short", Outcome.STREAM_MALFORMED, "200", REFUSED, NO_SUM) {
                answer { add("content-length", "1") }
            },
            Clause("8.1.1: a length without a body", Outcome.STREAM_MALFORMED, "200", REFUSED, NO_SUM) {
                headOnly("200") { add("content-length", "9") }
            },
            Clause("8.1.1: unequal lengths", Outcome.STREAM_MALFORMED) { answer { add("content-length", "2, 3") } },
            Clause("8.1.1: to HEAD there is no body, whatever its length", null, method = "HEAD") {
                headOnly("200") { add("content-length", "9") }
            },
            Clause("8.1.1: 304 has none, whatever its length", null, java = "304") {
                headOnly("304") { add("content-length", "9") }
            },
            Clause("8.2.1: a name in capitals", Outcome.STREAM_MALFORMED) { answer { add("X-Upper", "x") } },
            Clause("8.2.1: a name with a blank", Outcome.STREAM_MALFORMED) { answer { add("x y", "x") } },
            Clause("8.2.2: fields of a connection", Outcome.STREAM_MALFORMED) { answer { add("connection", "close") } },
            Clause("8.2.2: codings of a transfer", Outcome.STREAM_MALFORMED) {
                answer { add("transfer-encoding", "chunked") }
            },
            Clause("8.3: a pseudo-header that is unknown", Outcome.STREAM_MALFORMED) { answer { add(":odd", "x") } },
            Clause("8.3.2: no status", Outcome.STREAM_MALFORMED) { answer { remove(":status") } },
            Clause("8.3.2: a status that is no number", Outcome.STREAM_MALFORMED) { answer(status = "2x0") },
            Clause("8.3.2: a status of two digits", Outcome.STREAM_MALFORMED, "20", REFUSED, "Java reads any number") {
                answer(status = "20")
            },
            Clause("8.6: there is no 101", Outcome.STREAM_MALFORMED) { headOnly("101") {} },
            Clause("9110 15: an unknown status is of its class", null, java = "299") { answer(status = "299") },
            Clause("5.4.2: a stream that is reset", Outcome.STREAM_RESET) { reset() },
            Clause("8.7: a stream that is refused", Outcome.UNPROCESSED) { reset(Http2Error.REFUSED_STREAM) },
        )

        val TLS: SslContext = CertificateBuilder().subject("CN=own").addSanIpAddress("127.0.0.1")
            .setIsCertificateAuthority(true).buildSelfSigned().let { certificate ->
                SslContextBuilder.forServer(certificate.toKeyManagerFactory()).sslProvider(SslProvider.JDK)
                    .applicationProtocolConfig(
                        ApplicationProtocolConfig(
                            ApplicationProtocolConfig.Protocol.ALPN,
                            ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                            ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                            ApplicationProtocolNames.HTTP_2,
                        ),
                    ).build()
            }
    }
}
