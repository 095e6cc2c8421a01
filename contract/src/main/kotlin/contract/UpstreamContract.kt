package threadgauge.contract

import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpRequest.BodyPublishers
import java.net.http.HttpResponse.BodyHandlers
import kotlin.time.Duration.Companion.seconds

/**
 * What a stack does when the backend that it calls misbehaves, as a test suite. The bench cannot ask for it: its upstream behaves.
 * [main] is the fully qualified name of the class with `main`, [upstream] a mock for this suite alone, and [stackAt] the stack that calls
 * the upstream at an address.
 */
@Tag("processes")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class UpstreamContract(private val main: String, private val upstream: URI, private val stackAt: (URI) -> ShippedStack) {
    private val server = ServerProcess(main, stackAt(upstream))

    /** Set before the first test and closed after the last, by the thread that runs them. */
    private lateinit var visit: Visit

    @BeforeAll
    fun enter() {
        visit = visitTo(server.start())
    }

    @AfterAll
    fun leave() {
        if (::visit.isInitialized) visit.close()
        server.stop()
    }

    @Test
    fun `an upstream that fails is answered with 502 and a problem, and is asked again`() {
        behave("errors=100")
        try {
            paths.forEach { visit.get(it).mustBeBadGateway() }
        } finally {
            behave("errors=0")
        }
        paths.forEach { visit.get(it).mustHaveStatus(200) }
    }

    @Test
    fun `an upstream that is not there is answered with 502 and a problem`() {
        // Nobody listens on port 1.
        val lonely = ServerProcess(main, stackAt(URI("http://127.0.0.1:1")))
        try {
            visitTo(lonely.start()).use { visit -> paths.forEach { visit.get(it).mustBeBadGateway() } }
        } finally {
            lonely.stop()
        }
    }

    @Test
    fun `a pool of threads that is never closed leaks its threads, and one that is kept does not`() {
        assertTrue(threadsAddedBy("/fanout/coroutine-leak/0?n=10") >= ASKED * 10 - SLACK)
        assertTrue(threadsAddedBy("/fanout/coroutine/0?n=10") <= SLACK)
    }

    /** By [ASKED] requests, after one that starts what is started once. */
    private fun threadsAddedBy(path: String): Int {
        visit.get(path).mustHaveStatus(200)
        val before = liveThreads()
        repeat(ASKED) { visit.get(path).mustHaveStatus(200) }
        return liveThreads() - before
    }

    private fun liveThreads(): Int =
        checkNotNull(LIVE.find(visit.get("/metrics").mustHaveStatus(200).text)).groupValues[1].toDouble().toInt()

    private fun visitTo(base: URI) = Visit(Access(base), stackAt(upstream).name, stackAt(upstream).model, 10.seconds)

    private fun behave(how: String) = HttpClient.newHttpClient().use { client ->
        val request = HttpRequest.newBuilder(upstream.resolve("/behave?$how")).POST(BodyPublishers.noBody()).build()
        assertTrue(client.send(request, BodyHandlers.ofString()).statusCode() == 200)
    }

    private companion object {
        val paths = listOf("/mobile/users/7?ms=0&from=upstream") + strategies.map { "/fanout/$it/0" }
        val LIVE = Regex("^jvm_threads_live_threads ([0-9.eE+]+)", RegexOption.MULTILINE)
        const val ASKED = 10

        /** Threads of the server's own pools come and go meanwhile. */
        const val SLACK = 20

        fun Answer.mustBeBadGateway() = mustBeProblem(502, "Bad Gateway", "the upstream did not answer as it should")
    }
}
