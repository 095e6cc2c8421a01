package threadgauge.contract.testkit

import java.io.File
import java.net.SocketTimeoutException
import java.net.URI
import kotlin.time.Duration.Companion.seconds
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Assertions.fail
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import org.junit.jupiter.api.TestInstance
import threadgauge.contract.HttpContract
import threadgauge.contract.check.Check
import threadgauge.contract.check.article.ARTICLES_PATH
import threadgauge.contract.check.protocol.mustShowNoInsides
import threadgauge.contract.check.runtime.limitOf
import threadgauge.contract.client.Access
import threadgauge.contract.client.Beside
import threadgauge.contract.client.Visit
import threadgauge.contract.testkit.process.DatabaseGuest
import threadgauge.contract.testkit.process.ServerProcess
import threadgauge.contract.testkit.process.SharedDatabases
import threadgauge.contract.testkit.process.ShippedStack
import threadgauge.contract.testkit.process.isServed
import threadgauge.contract.testkit.process.sendGet

/**
 * The articles of a stack of this repository, in its fuller edition with [options], from H2 and from PostgreSQL. [main] is the fully
 * qualified name of the class with `main`, or null where the stack's jar is started; [stack] stands in the `stacks.yaml` of the plain
 * edition's [folder].
 *
 * Two processes of the stack run side by side, because starting them is what takes the time: the one on H2 has [upstream] for a backend,
 * the one on PostgreSQL has a backend for which nobody listens.
 */
@Tag("processes")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ArticlesContract(
    private val main: String?,
    private val folder: String,
    private val stack: String,
    private vararg val options: String,
) {
    /** Beginnings of the paths that only the fuller edition serves. */
    internal val paths: List<String> get() = shipped(emptyMap()).paths

    private val servers = ArrayList<ServerProcess>()
    private val visits = ArrayList<Visit>()

    /** Set before the first test by the thread that runs them. */
    private lateinit var guest: DatabaseGuest

    /** The stack that asks H2. Set before the first test by the thread that runs them, as [onPostgresql] is. */
    internal val onH2 get() = visits[0]

    /** The stack that asks PostgreSQL. */
    internal val onPostgresql get() = visits[1]

    /** A backend that serves; started by whoever overrides it. */
    protected open fun upstream(): String = NOWHERE

    @BeforeAll
    fun enter() {
        val backend = upstream()
        val h2 = SharedDatabases.placesOf("h2") + ("upstream" to backend)
        guest = DatabaseGuest(SharedDatabases.placesOf("postgresql"))
        val postgresql = guest.placesOfGuest + ("upstream" to NOWHERE)
        val shipped = listOf(shipped(h2), shipped(postgresql))
        val besides = listOf(Beside(URI(backend).takeIf { backend != NOWHERE }), Beside(null, guest.statements))
        shipped.mapTo(servers) { ServerProcess(main, it) }
        val bases = servers.parallelStream().map { it.start() }.toList()
        bases.forEachIndexed { index, base ->
            visits += Visit(Access(base), shipped[index].name, shipped[index].model, 30.seconds, besides[index])
        }
    }

    /** With connections to the database in its pool. */
    @AfterAll
    fun leave() {
        visits.forEach { it.close() }
        try {
            if (visits.isNotEmpty()) servers.forEach(::mustEndSoon)
        } finally {
            servers.forEach { it.stop() }
        }
    }

    @TestFactory
    fun `articles are served from H2`() = testsOf(ARTICLES, onH2)

    @TestFactory
    fun `articles are served from PostgreSQL`() = testsOf(ARTICLES, onPostgresql)

    /** Each in its framework's own words: no caller can do anything about it. */
    @Test
    fun `a database that fails is answered with 500 that shows nothing of the insides, and is asked again`() {
        val paths = listOf("$ARTICLES_PATH/17", "$ARTICLES_PATH?ids=3,1,2")
        guest.failing {
            paths.forEach {
                val answer = onPostgresql.get(it).mustHaveStatus(500).mustShowNoInsides()
                answer.must(DATABASE_WORDS.none { word -> word in answer.text }) { "the database speaks in ${answer.text}" }
            }
        }
        paths.forEach { onPostgresql.get(it).mustHaveStatus(200) }
    }

    /**
     * Nobody's word is taken for how the database is asked: it is kept waiting, and tells by how many connections of which driver it was
     * asked. Whether a thread that serves others waits with it shows in who is served meanwhile.
     */
    @Test
    fun `the database is asked by the driver that is meant, by so many connections as all stacks have, and holds up whom it should`() {
        val handlers = onPostgresql.limitOf("/block/0")
        val apart = handlers != onPostgresql.limitOf("/offload/0")
        val asking = if (handlers != null && (apart || isNaive)) maxOf(ASKING, handlers + SPARE) else ASKING
        // An event loop that stands still accepts no connection either, so there may be fewer at the wrong place than there are loops.
        val expected = if (isNaive) 1..minOf(CONNECTIONS, checkNotNull(handlers)) else CONNECTIONS..CONNECTIONS
        guest.waiting { waiting ->
            val callers = List(asking) { onPostgresql.connect() }
            try {
                callers.forEach { it.sendGet("$ARTICLES_PATH/17") }
                val end = System.nanoTime() + onPostgresql.patience.inWholeNanoseconds
                while (waiting().values.sum() !in expected && System.nanoTime() < end) Thread.sleep(LOOK_MILLIS)
                // Handlers beyond the connections wait for one, which does not show at the database.
                if (isNaive) Thread.sleep(SETTLED_MILLIS)
                assertEquals(!isNaive, others().all { it })
                val asked = waiting()
                assertEquals(setOf(driver), asked.keys)
                assertTrue(asked.getValue(driver) in expected, "$asked, expected $expected")
            } finally {
                callers.forEach { it.close() }
            }
        }
        onPostgresql.get("$ARTICLES_PATH/17").mustHaveStatus(200)
    }

    private val isNaive get() = "naive" in options

    /** As the driver calls itself where the database asks it. */
    private val driver get() = if ("r2dbc" in options) "r2dbc-postgresql" else "PostgreSQL JDBC Driver"

    /** Of some requests at once that need no database: whether each is answered soon. */
    private fun others(): List<Boolean> {
        val sockets = List(ASKING) { onPostgresql.connect() }
        try {
            sockets.forEach { it.sendGet("/hello") }
            val end = System.nanoTime() + SOON_MILLIS * 1_000_000L
            return sockets.map { socket ->
                socket.soTimeout = ((end - System.nanoTime()) / 1_000_000).toInt().coerceAtLeast(1)
                try {
                    socket.isServed()
                } catch (_: SocketTimeoutException) {
                    false
                }
            }
        } finally {
            sockets.forEach { it.close() }
        }
    }

    internal fun testsOf(checks: List<Check>, visit: Visit): List<DynamicTest> = checks.map { check ->
        dynamicTest(check.sentence) { check.violation(visit)?.let { fail<Unit>(it) } }
    }

    private fun shipped(places: Map<String, String>) =
        ShippedStack.read(stack, File("../$folder/stacks.yaml"), isMore = true, places, options.toList())

    private companion object {
        /** What it says of the failure, and what it was asked. */
        val DATABASE_WORDS = listOf("permission denied", "42501", "SELECT")
        /** Of each stack's pool. */
        const val CONNECTIONS = 10

        /** More than connections, and than event loops. */
        const val ASKING = 16

        /** Requests beyond the threads of all handlers, so that each thread is sure to have one. */
        const val SPARE = 8
        const val SOON_MILLIS = 3_000
        const val SETTLED_MILLIS = 500L
        const val LOOK_MILLIS = 20L
        const val NOWHERE = "http://127.0.0.1:1"
        val ARTICLES = HttpContract.checks.filter { it.endpoint in setOf("/hello", "/runtime", ARTICLES_PATH) }
    }
}
