package threadgauge.contract.testkit

import java.net.http.HttpClient.Version
import java.net.http.HttpResponse
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.TestFactory
import threadgauge.contract.HttpContract
import threadgauge.contract.check.runtime.recordedHellos
import threadgauge.contract.testkit.process.FeatureServer
import threadgauge.contract.testkit.process.cookie
import threadgauge.contract.testkit.process.header

/**
 * Each feature of a stack alone, in a process of its own: it shows, and no other feature does. The cost of a feature
 * can be measured only where it needs no other feature and brings none. [main], [folder] and [stack] are those of
 * [FeatureContract], which checks what each feature does.
 */
@Tag("processes")
abstract class EachFeatureContract(
    private val main: String,
    private val folder: String,
    private val stack: String,
) {
    @TestFactory
    fun `a feature that is switched on alone shows, and no other does`(): List<DynamicTest> =
        (signs.keys + CALL_LOGGING).map { option -> dynamicTest(option) { mustShowAlone(option) } }

    private fun mustShowAlone(option: String) {
        val server = FeatureServer(main, folder, stack, listOf(option))
        try {
            server.start()
            assertEquals(null, server.violation(HttpContract.plainChecks.first(), isHttp2 = option == "http2"))
            assertEquals(setOf(option) - CALL_LOGGING, signs.filterValues { shows -> server.shows() }.keys)
            val isLogged = server.logged("/delay/4", waits = option == CALL_LOGGING) != null
            assertEquals(option == CALL_LOGGING, isLogged)
        } finally {
            server.stop()
        }
    }

    private companion object {
        const val CALL_LOGGING = "call-logging"

        /** How each option can be observed from outside. */
        val signs: Map<String, FeatureServer.() -> Boolean> = mapOf(
            "gzip" to {
                get("/api/random/string/5000", "Accept-Encoding" to "gzip").header("content-encoding") == "gzip"
            },
            "default-headers" to { get("/hello").header("x-served-by") != null },
            "cors" to {
                get("/hello", "Origin" to "https://example.org").header("access-control-allow-origin") != null
            },
            "interceptor" to { get("/hello").header("x-intercepted") != null },
            "request-timers" to { timesHellos() },
            "sessions" to { get("/hello").run { statusCode() == 200 && cookie != null } },
            "templates" to { get("/page/2").statusCode() == 200 },
            "error-pages" to { get("/fail/known").statusCode() == 409 },
            "https-redirect" to { send("GET", "/hello", sends - "X-Forwarded-Proto").statusCode() == 301 },
            "basic" to { challenge() == "Basic" },
            "jwt" to { challenge() == "Bearer" },
            "session-login" to { challenge() == "Form" },
            "tls" to { negotiated() == Version.HTTP_1_1 },
            "http2" to { negotiated() == Version.HTTP_2 },
        )

        /** Scheme of the challenge to a request without credentials. */
        fun FeatureServer.challenge(): String? =
            send("GET", "/hello", sends - "Authorization").header("www-authenticate")?.substringBefore(' ')

        /** Version negotiated with a client that prefers HTTP/2. Null without TLS. */
        fun FeatureServer.negotiated(): Version? {
            val answer: HttpResponse<*> = send("GET", "/hello", sends, version = Version.HTTP_2)
            return answer.version().takeIf { answer.sslSession().isPresent }
        }

        /** A server may record a request after it has sent the answer. */
        fun FeatureServer.timesHellos(): Boolean {
            repeat(10) {
                get("/hello")
                Thread.sleep(10)
            }
            return recordedHellos(get("/metrics").body().decodeToString()) > 0
        }
    }
}
