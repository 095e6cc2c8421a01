package threadgauge.load.agent

import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.maps.shouldBeEmpty
import io.kotest.matchers.maps.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicInteger
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.model.Load
import threadgauge.model.Outcome
import threadgauge.model.request.Connections
import threadgauge.model.request.Cookies
import threadgauge.model.request.Login

/** Each user keeps its own cookies, and only those. */
@Tag("ports")
class CookiesTest : EngineTest() {
    private val sessions = AtomicInteger()

    /** How many requests carried the session of each number. */
    private val came = ConcurrentHashMap<String, Int>()

    private fun ProgrammableServer.Exchange.session() = Regex("(?m)^Cookie: s=(\\w+)$").find(head)?.groupValues?.get(1)

    private fun ProgrammableServer.Exchange.begin() =
        "set-cookie: s=n${sessions.incrementAndGet()}; Path=/; HttpOnly\r\n"

    private fun WorkOrder.keeping(cookies: Cookies?) = copy(connections = Connections(cookies = cookies))

    @Test
    fun `a user begins one session and comes back with it, also on its next connection`() {
        val result = ProgrammableServer { number ->
            val session = session()
            if (session != null) came.merge(session, 1, Int::plus)
            // Every fifth answer ends its connection, as Tomcat does after a hundred.
            answer(
                headers = (if (session == null) begin() else "") + if (number % 5 == 4) "Connection: close\r\n" else "",
            )
        }.use { server -> load(server, Load.Loops(4, 50)) { it.keeping(Cookies()) } }
        result.done.answered shouldBe 200
        result.done.connectionsOpened shouldBeGreaterThan 30
        sessions.get() shouldBe 4
        came shouldContainExactly (1..4).associate { "n$it" to 49 }
    }

    @Test
    fun `an open load keeps a session for each connection`() {
        val result = ProgrammableServer {
            val session = session()
            if (session != null) came.merge(session, 1, Int::plus)
            answer(headers = if (session == null) begin() else "")
        }.use { server -> load(server, Load.Rate(400.0, SECOND / 2)) { it.keeping(Cookies()) } }
        result.done.failures.shouldBeEmpty()
        // On a busy machine a request may not have been sent in time.
        result.done.answered + result.done.unsent shouldBe 200
        came.values.sum() + sessions.get() shouldBe result.done.answered.toInt()
        // Some connections that were opened beforehand were never needed.
        sessions.get().toLong() shouldBeInRange 1..result.done.connectionsOpened
    }

    @Test
    fun `cookies are kept only if configured, and a cookie of the request itself takes precedence`() {
        val heads = ConcurrentLinkedQueue<String>()
        fun ask(edit: (WorkOrder) -> WorkOrder) = ProgrammableServer { heads += head; answer(headers = begin()) }
            .use { server -> load(server, Load.Loops(1, 3), edit = edit) }
        ask { it }
        heads.none { "Cookie:" in it } shouldBe true
        heads.clear()
        ask { it.keeping(Cookies()).copy(request = it.request.copy(headers = mapOf("Cookie" to "mine=1"))) }
        val cookie = Regex("(?m)^Cookie: (.*)$")
        heads.forEach { head ->
            cookie.findAll(head).map { line -> line.groupValues[1] }.toList() shouldBe listOf("mine=1")
        }
    }

    @Test
    fun `a user logs in once, before the load, and the login is not counted`() {
        val forms = ConcurrentLinkedQueue<String>()
        val result = ProgrammableServer {
            when {
                path == "/login" -> {
                    forms += head + body
                    // The first user has to connect again.
                    answer(
                        body = "", status = "204 No Content",
                        headers = begin() + if (forms.size == 1) "Connection: close\r\n" else "",
                    )
                }
                session() == null -> answer(status = "401 Unauthorized")
                else -> answer()
            }
        }.use { server -> load(server, Load.Loops(3, 20)) { it.keeping(LOGIN) } }
        result.done.answered shouldBe 60
        result.done.failures.shouldBeEmpty()
        forms shouldHaveSize 3
        forms.forEach {
            it shouldContain "POST /login HTTP/1.1\r\n"
            it shouldContain "Content-Type: application/x-www-form-urlencoded\r\n"
            it shouldContain "\r\n\r\nuser=a&password=b"
        }
    }

    @Test
    fun `a rejected login fails the request, and so does one without an answer`() {
        fun failures(serve: ProgrammableServer.Exchange.(Int) -> Unit) =
            ProgrammableServer(serve = serve).use { server ->
                load(server, Load.Loops(2, 2)) { it.keeping(LOGIN).copy(connectTimeoutNanos = 200 * MILLI) }
            }.done.failures
        failures { answer(status = "401 Unauthorized") } shouldBe mapOf(Outcome.CLIENT_ERROR to 4L)
        failures { answer() } shouldBe mapOf(Outcome.UNEXPECTED_STATUS to 4L)
        failures { closeConnection() } shouldBe mapOf(Outcome.RESET to 4L)
        failures { } shouldBe mapOf(Outcome.RESPONSE_TIMEOUT to 4L)
    }

    private companion object {
        val LOGIN = Cookies(Login("/login", "user=a&password=b"))
    }
}
