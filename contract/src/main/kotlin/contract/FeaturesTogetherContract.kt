package threadgauge.contract

import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Assertions.assertArrayEquals
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotEquals
import org.junit.jupiter.api.Assertions.fail
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import org.junit.jupiter.api.TestInstance
import java.io.File
import java.util.zip.GZIPInputStream

/**
 * The features of a stack that shares their code with one that a [FeatureContract] looks at: one process has as many of them as go
 * together, and is asked for the contract as the bench asks. [options] are those that its engine has beyond the usual.
 */
@Tag("processes")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FeaturesTogetherContract(main: String, folder: String, stack: String, vararg options: String) {
    private val shipped = ShippedStack.read(stack, File("../$folder/stacks.yaml"), true, Certificates.places, USUAL + options)
    private val server = FeatureServer(main, shipped, Certificates.trust.takeIf { options.any { it == "tls" || it == "http2" } })
    private val isHttp2 = "http2" in options

    @BeforeAll
    fun start() = server.start()

    @AfterAll
    fun stop() = server.stop()

    @TestFactory
    fun `the contract is kept with all features together`() = HttpContract.plainChecks.map { check ->
        dynamicTest(check.sentence) {
            server.violation(check, isHttp2)?.let { fail<Unit>(it) }
        }
    }

    @Test
    fun `each feature shows in the answers`() {
        val answer = server.get("/delay/3", "Origin" to "https://example.org")
        val marks = mapOf("x-served-by" to "threadgauge", "x-intercepted" to "yes", "access-control-allow-origin" to "https://example.org")
        assertEquals(marks, marks.mapValues { answer.header(it.key) })
        assertNotEquals(null, answer.cookie)

        val zipped = server.get("/api/random/string/$LARGE", "Accept-Encoding" to "gzip")
        assertEquals("gzip", zipped.header("content-encoding"))
        assertArrayEquals(referenceString(LARGE).toByteArray(), GZIPInputStream(zipped.body().inputStream()).readAllBytes())

        assertEquals(expectedPage("/page/2"), server.get("/page/2").body().decodeToString())
        server.get("/fail/known").mustBeProblem(409, "Conflict", "a failure that was foreseen")
    }

    @Test
    fun `who is not known is refused, and who does not come by TLS is sent there`() {
        server.ask("GET", "/hello", server.sends - "Authorization").mustBeRefused("Bearer")
        if (server.isPlain) assertEquals(301, server.ask("GET", "/hello", server.sends - "X-Forwarded-Proto").statusCode())
    }

    private companion object {
        val USUAL = listOf(
            "gzip", "default-headers", "cors", "interceptor", "call-logging", "request-timers",
            "sessions", "jwt", "templates", "error-pages", "https-redirect",
        )
        const val LARGE = 5_000
    }
}
