package threadgauge.contract.testkit

import java.net.http.HttpClient.Version
import java.net.http.HttpResponse
import java.util.zip.GZIPInputStream
import org.junit.jupiter.api.Assertions.assertArrayEquals
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import threadgauge.contract.HttpContract
import threadgauge.contract.check.Check
import threadgauge.contract.check.page.MAX_ITEMS
import threadgauge.contract.check.page.expectedPage
import threadgauge.contract.check.runtime.recordedHellos
import threadgauge.contract.check.work.referenceString
import threadgauge.contract.testkit.process.FeatureServer
import threadgauge.contract.testkit.process.cookie
import threadgauge.contract.testkit.process.header
import threadgauge.contract.testkit.process.mustBeProblem

/**
 * What each option of a stack adds to its answers, and that nothing is added without options. [main] is the fully
 * qualified name of the class with `main`. [stack] is in the `stacks.yaml` of the plain edition's [folder]. An engine
 * without TLS sets [hasTls] to false.
 */
abstract class FeatureContract(main: String, folder: String, stack: String, hasTls: Boolean = true) :
    AuthenticationContract(main, folder, stack, hasTls) {
    @TestFactory
    fun `the contract is kept with all features together, and with HTTP 2 where there is TLS`() =
        (HttpContract.plainChecks + HttpContract.moreChecks).map { keeps(full, it) } +
            HttpContract.plainChecks.filter { hasTls }.map { keeps(basic, it) }

    private fun keeps(server: FeatureServer, check: Check) =
        dynamicTest(check.sentence) {
            assertEquals(null, violation(server, check)) { "Its output ends with:\n${server.output.takeLast(SHOWN)}" }
        }

    private fun violation(server: FeatureServer, check: Check) =
        server.violation(check, isHttp2 = hasTls && server === basic)

    @Test
    fun `gzip compresses large bodies for clients that accept it`() {
        val path = "/api/random/string/$LARGE"
        val expected = referenceString(LARGE).toByteArray()
        val zipped = full.get(path, "Accept-Encoding" to "gzip")
        assertEquals("gzip", zipped.header("content-encoding"))
        assertTrue(zipped.body().size < expected.size, "${zipped.body().size} bytes")
        assertArrayEquals(expected, GZIPInputStream(zipped.body().inputStream()).readAllBytes())
        assertEquals(null, full.get("/hello", "Accept-Encoding" to "gzip").header("content-encoding"))
        assertArrayEquals(expected, full.get(path).body())
        assertArrayEquals(expected, plain.get(path, "Accept-Encoding" to "gzip").body())
    }

    @Test
    fun `default headers and the interceptor mark every answer`() =
        listOf("x-served-by" to "threadgauge", "x-intercepted" to "yes").forEach { (name, value) ->
            listOf("/hello", "/delay/1", "/runtime").forEach {
                assertEquals(value, full.get(it).header(name), "$name of $it")
            }
            assertEquals(null, plain.get("/hello").header(name), "$name without the option")
        }

    @Test
    fun `with CORS pages of one other origin may read the answers, and no others`() {
        assertEquals(ORIGIN, full.get("/hello", "Origin" to ORIGIN).header(ALLOWED))
        assertEquals(403, full.get("/hello", "Origin" to "https://example.com").statusCode())
        assertEquals(null, plain.get("/hello", "Origin" to ORIGIN).header(ALLOWED))
        val preflight = full.sends + mapOf("Origin" to ORIGIN, "Access-Control-Request-Method" to "GET")
        val allowed = full.send("OPTIONS", "/hello", preflight)
        assertEquals(200, allowed.statusCode())
        assertEquals(ORIGIN, allowed.header(ALLOWED))
    }

    @Test
    fun `a line is logged for every call`() {
        val line = checkNotNull(full.logged("/delay/3", waits = true)) { "no line with /delay/3 in\n${full.output}" }
        assertTrue("GET" in line && "200" in line, line)
        assertEquals(null, plain.logged("/delay/3", waits = false))
    }

    @Test
    fun `a timer records every request`() {
        fun recorded() = recordedHellos(full.get("/metrics").body().decodeToString())
        val expected = recorded() + HELLOS
        repeat(HELLOS) { full.get("/hello") }
        // A server may record a request after it has sent the answer.
        val end = System.nanoTime() + PATIENCE_NANOS
        while (recorded() < expected && System.nanoTime() < end) Thread.sleep(20)
        assertEquals(expected, recorded())
    }

    @Test
    fun `a session begins with the first request, is found by its cookie, and cannot be invented`() {
        val first = full.get("/hello")
        val cookie = checkNotNull(first.cookie) { "no Set-Cookie in ${first.headers().map()}" }
        assertTrue("httponly" in first.header("set-cookie").orEmpty().lowercase(), first.header("set-cookie"))
        // Ktor sends the same cookie again, the others send none.
        assertTrue(full.get("/hello", "Cookie" to cookie).cookie in setOf(null, cookie))
        val invented = "${cookie.substringBefore('=')}=0123456789abcdef"
        val another = full.get("/hello", "Cookie" to invented).cookie
        assertTrue(another !in setOf(null, cookie, invented), "$another")
        assertNotEquals(cookie, full.get("/hello").cookie)
        assertEquals(null, plain.get("/hello").cookie)
    }

    @Test
    fun `a template renders the same page on all stacks`() {
        listOf(1, 2, MAX_ITEMS).forEach { count ->
            val page = full.get("/page/$count")
            assertEquals(expectedPage("/page/$count"), page.body().decodeToString())
            assertEquals("text/html;charset=utf-8", page.header("content-type")?.lowercase()?.replace(" ", ""))
        }
        listOf("0", "${MAX_ITEMS + 1}", "x").forEach {
            val detail = "n must be a whole number from 1 to $MAX_ITEMS"
            full.get("/page/$it").mustBeProblem(400, "Bad Request", detail)
        }
        plain.get("/page/2").mustBeNotFound()
    }

    @Test
    fun `exceptions are answered by their type, and without their stack trace`() {
        full.get("/fail/known").mustBeProblem(409, "Conflict", "a known failure")
        full.get("/fail/unexpected").mustBeProblem(500, "Internal Server Error", "an unexpected failure")
        full.get("/fail/otherwise").mustBeNotFound()
        // An exception that has its own answer without the option is not unexpected.
        full.get("/mobile/users/7?ms=0&from=upstream").mustBeProblem(502, "Bad Gateway", "the upstream failed")
        plain.get("/fail/known").mustBeNotFound()
    }

    @Test
    fun `plain HTTP is redirected to HTTPS, and HTTPS is served`() {
        val redirect = full.send("GET", "/delay/1?a=b&c=%C3%A4", emptyMap())
        assertEquals(301, redirect.statusCode())
        val location = "https://${full.authority.substringBefore(':')}/delay/1?a=b&c=%C3%A4"
        assertEquals(location, redirect.header("location"))
        assertEquals(200, full.get("/delay/1").statusCode())
        assertEquals(200, token.send("GET", "/hello", token.sends - FORWARDED).statusCode())
        assertEquals(200, plain.get("/hello").statusCode())
    }

    @TestFactory
    fun `protocols of the port, where there is TLS`() =
        if (hasTls) listOf(dynamicTest("both versions of TLS, and HTTP/2 with its option") { usesTlsAndHttp2() })
        else emptyList()

    private fun usesTlsAndHttp2() {
        listOf("TLSv1.3", "TLSv1.2").forEach { protocol ->
            val answer = token.send("GET", "/hello", token.sends, protocol = protocol)
            assertEquals(protocol, answer.sslSession().get().protocol)
        }
        assertEquals(
            Version.HTTP_1_1, token.send("GET", "/hello", token.sends, version = Version.HTTP_2).version(),
        )
        listOf(Version.HTTP_2, Version.HTTP_1_1).forEach { version ->
            val answer = basic.send("GET", "/runtime", basic.sends, version = version)
            assertEquals(version, answer.version())
            val report = answer.body().decodeToString()
            assertTrue("\"TCP_NODELAY\":\"true\"" in report, report)
        }
    }

    @Test
    fun `the bench gets in with each option, and answers have the headers that the options declare, and no others`() {
        all.forEach { assertEquals(null, violation(it, HttpContract.plainChecks.first())) }
    }

    private fun HttpResponse<ByteArray>.mustBeNotFound() =
        mustBeProblem(404, "Not Found", "nothing is served at this path")

    private companion object {
        const val PATIENCE_NANOS = 20_000_000_000L

        /** In characters, more than the least length that is compressed. */
        const val LARGE = 5_000

        /** More than one, so that a server that records only some of them is found. */
        const val HELLOS = 5
        const val ORIGIN = "https://example.org"
        const val ALLOWED = "access-control-allow-origin"
        const val FORWARDED = "X-Forwarded-Proto"

        /** Characters of a server's output. */
        const val SHOWN = 6_000
    }
}
