package threadgauge.contract.testkit

import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpRequest.BodyPublishers
import java.net.http.HttpResponse.BodyHandlers
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import threadgauge.contract.HttpContract
import threadgauge.contract.check.backend.strategies
import threadgauge.contract.check.protocol.mustBeProblem
import threadgauge.contract.client.Answer
import threadgauge.contract.testkit.process.ServiceProcess
import threadgauge.contract.testkit.process.isServed
import threadgauge.contract.testkit.process.sendGet

/**
 * The contract of the fuller edition of a stack, and its behaviour when the backend fails. The bench cannot check the
 * latter, because its backend does not fail.
 */
abstract class FullerContract(main: String?, folder: String, stack: String) : ArticlesContract(main, folder, stack) {
    /** Whether it serves streams, as the stacks do of which that is claimed. */
    protected open val hasStreams: Boolean get() = false

    /** For this class alone, because the tests let it fail while other classes run. */
    private val upstream = ServiceProcess("threadgauge.server.upstream.MainKt", emptyList())

    /** Set before the first test by the thread that runs them. */
    private lateinit var upstreamBase: URI

    override fun upstream() = upstream.start().getValue("upstream").also { upstreamBase = URI(it) }

    @AfterAll
    fun stopUpstream() = upstream.stop()

    @TestFactory
    fun `the rest of the contract is kept too`() = testsOf(HttpContract.plainChecks + more(), onH2)

    private fun more() = HttpContract.moreChecks + HttpContract.backendChecks +
        HttpContract.streamChecks.filter { hasStreams }

    /** The bench builds and starts this edition for these paths alone. */
    @Test
    fun `its description names all paths that only it serves`() =
        assertEquals(if (hasStreams) ALL + "/events" else ALL, paths.toSet())

    @Test
    fun `a failing upstream is answered with 502 and a problem, and is called again afterwards`() {
        behave("errors=100")
        try {
            PATHS.forEach { onH2.get(it).mustBeBadGateway() }
        } finally {
            behave("errors=0")
        }
        PATHS.forEach { onH2.get(it).mustHaveStatus(200) }
    }

    @Test
    fun `an upstream whose answers trickle is waited for`() {
        behave("slow=100")
        try {
            ONE_OF_EACH_CLIENT.forEach { onH2.get(it).mustHaveStatus(200).mustTakeAtLeast(TRICKLED_MILLIS) }
        } finally {
            behave("slow=0")
        }
    }

    @Test
    fun `an upstream that refuses connections is answered with 502 and a problem`() =
        PATHS.forEach { onPostgresql.get(it).mustBeBadGateway() }

    @Test
    fun `a pool of threads that is never closed leaks its threads, and one that is kept does not`() {
        assertTrue(threadsAddedBy("/fanout/coroutine-leak/0?n=10") >= REQUESTS * 10 - SLACK)
        assertTrue(threadsAddedBy("/fanout/coroutine/0?n=10") <= SLACK)
    }

    /**
     * A page makes two concurrent calls, so more pages than half of the limit make calls queue. The backend counts how
     * many waited at one time. A busy machine may not have started all calls when the first one ends, so a call that is
     * too few is sought again among longer ones. A call too many is never by chance.
     */
    @Test
    fun `its own client makes as many calls at a time as the report says`() {
        val reported = MAX_CALLS.find(onH2.get("/runtime").mustHaveStatus(200).text)?.run { groupValues[1].toInt() }
        val pages = (reported ?: MANY) / 2 + 3
        val expected = reported ?: (2 * pages)
        val seen = CALL_MILLIS.asSequence().map { maxCallsInFlight(pages, it) }.firstOrNull { it >= expected }
        assertEquals(expected, seen, "calls at a time; null: fewer, however long they took")
    }

    /** While so many pages are requested at once, whose calls take [millis]. No other test makes as many. */
    private fun maxCallsInFlight(pages: Int, millis: Int): Int {
        val callers = List(pages) { onH2.connect() }
        try {
            callers.forEach { it.sendGet("/mobile/users/7?ms=$millis&from=upstream") }
            callers.forEach { assertTrue(it.isServed()) }
            return checkNotNull(onH2.counters.maxCallsInFlight()).toInt()
        } finally {
            callers.forEach { it.close() }
        }
    }

    /** By [REQUESTS] requests, after one that starts what is started once. */
    private fun threadsAddedBy(path: String): Int {
        onH2.get(path).mustHaveStatus(200)
        val before = liveThreads()
        repeat(REQUESTS) { onH2.get(path).mustHaveStatus(200) }
        return liveThreads() - before
    }

    private fun liveThreads(): Int =
        checkNotNull(LIVE.find(onH2.get("/metrics").mustHaveStatus(200).text)).groupValues[1].toDouble().toInt()

    private fun behave(how: String) = HttpClient.newHttpClient().use { client ->
        val request = HttpRequest.newBuilder(upstreamBase.resolve("/behave?$how")).POST(BodyPublishers.noBody())
        assertTrue(client.send(request.build(), BodyHandlers.ofString()).statusCode() == 200)
    }

    private companion object {
        val ALL = setOf("/mobile", "/fanout", "/api/articles", "/customers")
        val PATHS = listOf("/mobile/users/7?ms=0&from=upstream") + strategies.map { "/fanout/$it/0" }
        val ONE_OF_EACH_CLIENT =
            PATHS.take(1) + listOf("sequential", "webclient").map { "/fanout/$it/0?calls=1&n=1" }

        /** "result1" at one byte in 100 ms. */
        const val TRICKLED_MILLIS = 600
        val LIVE = Regex("^jvm_threads_live_threads ([0-9.eE+]+)", RegexOption.MULTILINE)
        val MAX_CALLS = Regex("\"maxCalls\":([0-9]+)")
        const val REQUESTS = 10

        /** The first is long enough on an idle machine that its first call is in flight when the last one leaves. */
        val CALL_MILLIS = listOf(1_500, 4_000, 9_000)

        /** Calls that a client without a limit must make at once. */
        const val MANY = 100

        /** Threads of the server's own pools come and go meanwhile. */
        const val SLACK = 20

        fun Answer.mustBeBadGateway() = mustBeProblem(502, "Bad Gateway", "the upstream failed")
    }
}
