package threadgauge.contract.testkit

import java.net.http.HttpResponse
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import threadgauge.contract.testkit.process.cookie
import threadgauge.contract.testkit.process.header
import threadgauge.contract.testkit.process.mustBeProblem

/** Each kind of authentication serves requests with the right credentials and rejects all others with 401. */
abstract class AuthenticationContract internal constructor(
    main: String,
    folder: String,
    stack: String,
    hasTls: Boolean,
) : FeatureServers(main, folder, stack, hasTls) {
    @Test
    fun `basic authentication accepts the right password and nothing else`() {
        assertEquals(200, basic.get("/hello").statusCode())
        basic.send("GET", "/hello", emptyMap()).mustBeUnauthorized("Basic")
        basic.send("GET", "/hello", mapOf("Authorization" to "Basic dGVzdGVyOndyb25n")).mustBeUnauthorized("Basic")
        val bearer = token.sends.getValue("Authorization")
        basic.send("GET", "/hello", mapOf("Authorization" to bearer)).mustBeUnauthorized("Basic")
    }

    @Test
    fun `a token is accepted if it is signed and has not expired`() {
        assertEquals(200, token.get("/hello").statusCode())
        val right = token.sends.getValue("Authorization")
        val wrong = right.substringBeforeLast('.') + "." + right.substringAfterLast('.').reversed()
        token.send("GET", "/hello", emptyMap()).mustBeUnauthorized("Bearer")
        listOf(wrong, EXPIRED, "Bearer x", "Basic dGVzdGVyOm9ubHkgZm9yIHRlc3Rz").forEach {
            token.send("GET", "/hello", mapOf("Authorization" to it)).mustBeUnauthorized("Bearer")
        }
    }

    @Test
    fun `a login accepts requests with its session and no others`() {
        login.get("/hello").mustBeUnauthorized("Form")
        val form = mapOf("Content-Type" to "application/x-www-form-urlencoded")
        listOf("user=tester&password=wrong", "user=nobody&password=only+for+tests", "user=tester").forEach {
            login.send("POST", "/login", form, it).mustBeUnauthorized("Form")
        }
        val loggedIn = login.send("POST", "/login", form, "user=tester&password=only+for+tests")
        assertEquals(204, loggedIn.statusCode())
        val setCookie = loggedIn.header("set-cookie")
        assertTrue("httponly" in setCookie.orEmpty().lowercase(), setCookie)
        val cookie = loggedIn.cookie!!
        assertEquals("hello", login.get("/hello", "Cookie" to cookie).body().decodeToString())
        val invented = "${cookie.substringBefore('=')}=0123456789abcdef"
        login.get("/hello", "Cookie" to invented).mustBeUnauthorized("Form")
    }

    private companion object {
        /** Signed as the right token, and valid until the year 2001. */
        const val EXPIRED = "Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ0ZXN0ZXIiLCJleHAiOjEwMDAwMDAwMDB9" +
            ".1JBVZ5PMaj_5qBmRnYXf_YH2BxJQoiyVO3vO5-ueo5A"

        fun HttpResponse<ByteArray>.mustBeUnauthorized(scheme: String) {
            mustBeProblem(401, "Unauthorized", "this request needs valid credentials")
            assertEquals(scheme, header("www-authenticate")?.substringBefore(' '))
        }
    }
}
