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
import threadgauge.contract.check.customer.customerChecks
import threadgauge.contract.check.page.ITEMS_MOST
import threadgauge.contract.check.page.expectedPage
import threadgauge.contract.testkit.process.mustBeProblem
import threadgauge.contract.check.runtime.recordedHellos
import threadgauge.contract.check.work.referenceString
import threadgauge.contract.testkit.process.EXPIRED
import threadgauge.contract.testkit.process.FeatureServer
import threadgauge.contract.testkit.process.cookie
import threadgauge.contract.testkit.process.header
import threadgauge.contract.testkit.process.mustBeProblem
import threadgauge.contract.testkit.process.mustBeRefused

/**
 * What the options of a stack add to its answers, and that nothing of it is there without them. One process has none, one has all that go
 * together, and each kind of authentication has one, with TLS in two. [main] is the fully qualified name of the class with `main`; [stack]
 * stands in the `stacks.yaml` of the plain edition's [folder]. An engine without TLS says so by [hasTls].
 */
abstract class FeatureContract(main: String, folder: String, stack: String, hasTls: Boolean = true) :
    FeatureServers(main, folder, stack, hasTls) {
    @TestFactory
    fun `the contract is kept with all features together, and with HTTP 2 where there is TLS`() =
        (HttpContract.plainChecks + customerChecks).map { keeps(full, it) } +
            HttpContract.plainChecks.filter { hasTls }.map { keeps(basic, it) }

    private fun keeps(server: FeatureServer, check: Check) = dynamicTest(check.sentence) { assertEquals(null, violation(server, check)) }

    private fun violation(server: FeatureServer, check: Check) = server.violation(check, isHttp2 = hasTls && server === basic)

    @Test
    fun `gzip compresses what is large, for who accepts it`() {
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
    fun `default headers and the interceptor mark every answer`() = listOf("x-served-by" to "threadgauge", "x-intercepted" to "yes")
        .forEach { (name, value) ->
            listOf("/hello", "/delay/1", "/runtime").forEach { assertEquals(value, full.get(it).header(name), "$name of $it") }
            assertEquals(null, plain.get("/hello").header(name), "$name without the option")
        }

    @Test
    fun `with CORS pages from one other place may read the answers, and those from elsewhere may not`() {
        assertEquals(FRIEND, full.get("/hello", "Origin" to FRIEND).header(ALLOWED))
        assertEquals(403, full.get("/hello", "Origin" to "https://example.com").statusCode())
        assertEquals(null, plain.get("/hello", "Origin" to FRIEND).header(ALLOWED))
        val ahead = full.sends + mapOf("Origin" to FRIEND, "Access-Control-Request-Method" to "GET")
        val allowed = full.ask("OPTIONS", "/hello", ahead)
        assertEquals(200, allowed.statusCode())
        assertEquals(FRIEND, allowed.header(ALLOWED))
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
    fun `a session begins with the first request, is found by its cookie, and cannot be made up`() {
        val first = full.get("/hello")
        val cookie = checkNotNull(first.cookie) { "no Set-Cookie in ${first.headers().map()}" }
        assertTrue("httponly" in first.header("set-cookie").orEmpty().lowercase(), first.header("set-cookie"))
        // Ktor sends the same cookie again, the others send none.
        assertTrue(full.get("/hello", "Cookie" to cookie).cookie in setOf(null, cookie))
        val madeUp = "${cookie.substringBefore('=')}=0123456789abcdef"
        val another = full.get("/hello", "Cookie" to madeUp).cookie
        assertTrue(another !in setOf(null, cookie, madeUp), "$another")
        assertNotEquals(cookie, full.get("/hello").cookie)
        assertEquals(null, plain.get("/hello").cookie)
    }

    @Test
    fun `a template makes the same page on all stacks`() {
        listOf(1, 2, ITEMS_MOST).forEach { count ->
            val page = full.get("/page/$count")
            assertEquals(expectedPage("/page/$count"), page.body().decodeToString())
            assertEquals("text/html;charset=utf-8", page.header("content-type")?.lowercase()?.replace(" ", ""))
        }
        listOf("0", "${ITEMS_MOST + 1}", "x").forEach {
            full.get("/page/$it").mustBeProblem(400, "Bad Request", "n must be a whole number from 1 to $ITEMS_MOST")
        }
        plain.get("/page/2").mustBeNotFound()
    }

    @Test
    fun `exceptions are answered by their type, and without their stack trace`() {
        full.get("/fail/known").mustBeProblem(409, "Conflict", "a failure that was foreseen")
        full.get("/fail/unexpected").mustBeProblem(500, "Internal Server Error", "a failure that nobody foresaw")
        full.get("/fail/otherwise").mustBeNotFound()
        // What the stack has an answer for without the option is no failure that nobody foresaw.
        full.get("/mobile/users/7?ms=0&from=upstream")
            .mustBeProblem(502, "Bad Gateway", "the upstream did not answer as it should")
        plain.get("/fail/known").mustBeNotFound()
    }

    @Test
    fun `who does not come by TLS is sent there, and who does is served`() {
        val sent = full.ask("GET", "/delay/1?a=b&c=%C3%A4", emptyMap())
        assertEquals(301, sent.statusCode())
        assertEquals("https://${full.authority.substringBefore(':')}/delay/1?a=b&c=%C3%A4", sent.header("location"))
        assertEquals(200, full.get("/delay/1").statusCode())
        assertEquals(200, token.ask("GET", "/hello", token.sends - FORWARDED).statusCode())
        assertEquals(200, plain.get("/hello").statusCode())
    }

    @Test
    fun `basic authentication lets in who has the password`() {
        assertEquals(200, basic.get("/hello").statusCode())
        basic.ask("GET", "/hello", emptyMap()).mustBeRefused("Basic")
        basic.ask("GET", "/hello", mapOf("Authorization" to "Basic dGVzdGVyOndyb25n")).mustBeRefused("Basic")
        basic.ask("GET", "/hello", mapOf("Authorization" to token.sends.getValue("Authorization"))).mustBeRefused("Basic")
    }

    @Test
    fun `a token lets in who has one that is signed and has not expired`() {
        assertEquals(200, token.get("/hello").statusCode())
        val right = token.sends.getValue("Authorization")
        val wrong = right.substringBeforeLast('.') + "." + right.substringAfterLast('.').reversed()
        token.ask("GET", "/hello", emptyMap()).mustBeRefused("Bearer")
        listOf(wrong, EXPIRED, "Bearer x", "Basic dGVzdGVyOm9ubHkgZm9yIHRlc3Rz").forEach {
            token.ask("GET", "/hello", mapOf("Authorization" to it)).mustBeRefused("Bearer")
        }
    }

    @Test
    fun `a login lets in who comes with its session`() {
        login.get("/hello").mustBeRefused("Form")
        val form = mapOf("Content-Type" to "application/x-www-form-urlencoded")
        listOf("user=tester&password=wrong", "user=nobody&password=only+for+tests", "user=tester").forEach {
            login.ask("POST", "/login", form, it).mustBeRefused("Form")
        }
        val entered = login.ask("POST", "/login", form, "user=tester&password=only+for+tests")
        assertEquals(204, entered.statusCode())
        assertTrue("httponly" in entered.header("set-cookie").orEmpty().lowercase(), entered.header("set-cookie"))
        assertEquals("hello", login.get("/hello", "Cookie" to entered.cookie!!).body().decodeToString())
        login.get("/hello", "Cookie" to "${entered.cookie!!.substringBefore('=')}=0123456789abcdef").mustBeRefused("Form")
    }

    @TestFactory
    fun `how the port speaks, where there is TLS`() =
        if (hasTls) listOf(dynamicTest("both versions of it, and with HTTP/2 that too") { speaksTlsAndHttp2() }) else emptyList()

    private fun speaksTlsAndHttp2() {
        listOf("TLSv1.3", "TLSv1.2").forEach { protocol ->
            assertEquals(protocol, token.ask("GET", "/hello", token.sends, protocol = protocol).sslSession().get().protocol)
        }
        assertEquals(Version.HTTP_1_1, token.ask("GET", "/hello", token.sends, version = Version.HTTP_2).version())
        listOf(Version.HTTP_2, Version.HTTP_1_1).forEach { version ->
            val answer = basic.ask("GET", "/runtime", basic.sends, version = version)
            assertEquals(version, answer.version())
            assertTrue("\"TCP_NODELAY\":\"true\"" in answer.body().decodeToString(), answer.body().decodeToString())
        }
    }

    @Test
    fun `the bench is let in, and answers have the headers that the options say they add, and no others`() {
        all.forEach { assertEquals(null, violation(it, HttpContract.plainChecks.first())) }
    }

    private fun HttpResponse<ByteArray>.mustBeNotFound() = mustBeProblem(404, "Not Found", "nothing is served at this path")

    private companion object {
        const val PATIENCE_NANOS = 20_000_000_000L
        const val LARGE = 5_000

        /** More than one, so that a server that records only some of them is found. */
        const val HELLOS = 5
        const val FRIEND = "https://example.org"
        const val ALLOWED = "access-control-allow-origin"
        const val FORWARDED = "X-Forwarded-Proto"
    }
}
