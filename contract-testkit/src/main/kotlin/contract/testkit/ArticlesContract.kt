package threadgauge.contract.testkit

import java.io.File
import java.net.SocketTimeoutException
import java.net.URI
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource
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
import threadgauge.contract.check.protocol.mustShowNoInternals
import threadgauge.contract.check.runtime.limitOf
import threadgauge.contract.client.Access
import threadgauge.contract.client.ContractClient
import threadgauge.contract.client.DependencyCounters
import threadgauge.contract.testkit.process.IsolatedDatabaseUser
import threadgauge.contract.testkit.process.ServerProcess
import threadgauge.contract.testkit.process.SharedDatabases
import threadgauge.contract.testkit.process.ShippedStack
import threadgauge.contract.testkit.process.isServed
import threadgauge.contract.testkit.process.sendGet

/**
 * The articles of a stack of this repository, in its fuller edition with [options], from H2 and from PostgreSQL.
 * [main] is the fully qualified name of the class with `main`, or null where the stack's jar is started. [stack] is in
 * the `stacks.yaml` of the plain edition's [folder].
 *
 * Two processes of the stack run at the same time, because their starts take most of the time. The one on H2 has
 * [upstream] for a backend. The backend of the one on PostgreSQL refuses connections.
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
    private val clients = ArrayList<ContractClient>()

    /** Set before the first test by the thread that runs them. */
    private lateinit var databaseUser: IsolatedDatabaseUser

    /** For the stack on H2. Set before the first test by the thread that runs them, as [onPostgresql]. */
    internal val onH2 get() = clients[0]

    /** For the stack on PostgreSQL. */
    internal val onPostgresql get() = clients[1]

    /** A backend that serves. A subclass that overrides this starts it. */
    protected open fun upstream(): String = NOWHERE

    @BeforeAll
    fun startServers() {
        val backend = upstream()
        val h2 = SharedDatabases.endpointsOf("h2") + ("upstream" to backend)
        databaseUser = IsolatedDatabaseUser(SharedDatabases.endpointsOf("postgresql"))
        val postgresql = databaseUser.endpoints + ("upstream" to NOWHERE)
        val shipped = listOf(shipped(h2), shipped(postgresql))
        val counters = listOf(
            DependencyCounters(URI(backend).takeIf { backend != NOWHERE }),
            DependencyCounters(null, databaseUser.statements),
        )
        shipped.mapTo(servers) { ServerProcess(main, it) }
        val bases = servers.parallelStream().map { it.start() }.toList()
        bases.forEachIndexed { index, base ->
            val stack = shipped[index]
            clients += ContractClient(Access(base), stack.name, stack.model, 30.seconds, counters[index])
        }
    }

    /** The servers must end soon, with connections to the database in their pools. */
    @AfterAll
    fun stopServers() {
        clients.forEach { it.close() }
        try {
            if (clients.isNotEmpty()) servers.forEach(::mustEndSoon)
        } finally {
            servers.forEach { it.stop() }
        }
    }

    @TestFactory
    fun `articles are served from H2`() = testsOf(ARTICLE_CHECKS, onH2)

    @TestFactory
    fun `articles are served from PostgreSQL`() = testsOf(ARTICLE_CHECKS, onPostgresql)

    /** The body is the framework's own: no caller can repair the database. */
    @Test
    fun `a failing database is answered with 500 without internals, and is queried again afterwards`() {
        val paths = listOf("$ARTICLES_PATH/17", "$ARTICLES_PATH?ids=3,1,2")
        databaseUser.failing {
            paths.forEach {
                val answer = onPostgresql.get(it).mustHaveStatus(500).mustShowNoInternals()
                answer.must(DATABASE_WORDS.none { word -> word in answer.text }) {
                    "the database's own words are in ${answer.text}"
                }
            }
        }
        paths.forEach { onPostgresql.get(it).mustHaveStatus(200) }
    }

    /**
     * The test blocks the database, which reports how many connections of which driver wait. Other requests, sent
     * meanwhile, show whether a thread that serves them waits for the database.
     */
    @Test
    fun `queries use the intended driver and the whole pool, and delay other requests only where they should`() {
        val handlers = onPostgresql.limitOf("/block/0")
        val hasOwnThreads = handlers != onPostgresql.limitOf("/offload/0")
        val count = if (handlers != null && (hasOwnThreads || isNaive)) maxOf(REQUESTS, handlers + SPARE) else REQUESTS
        // A blocked event loop accepts no connection either, so fewer queries may wait than there are loops.
        val expected =
            if (isNaive) 1..minOf(CONNECTIONS, checkNotNull(handlers)) else CONNECTIONS..CONNECTIONS
        databaseUser.blocking { blocked ->
            val callers = List(count) { onPostgresql.connect() }
            try {
                callers.forEach { it.sendGet("$ARTICLES_PATH/17") }
                val end = System.nanoTime() + onPostgresql.patience.inWholeNanoseconds
                while (blocked().values.sum() !in expected && System.nanoTime() < end) Thread.sleep(POLL_MILLIS)
                // The database stays blocked, so what waits for it waits longer than any patience.
                if (!isNaive) assertTrue(areOthersServed(onPostgresql.patience), "others wait for the database too")
                // Handlers beyond the pool's size wait for a connection, which the database does not show.
                else while (areOthersServed(BLOCKED)) check(System.nanoTime() < end) { "others never wait" }
                val queries = blocked()
                assertEquals(setOf(driver), queries.keys)
                assertTrue(queries.getValue(driver) in expected, "$queries, expected $expected")
            } finally {
                callers.forEach { it.close() }
            }
        }
        onPostgresql.get("$ARTICLES_PATH/17").mustHaveStatus(200)
    }

    private val isNaive get() = "naive" in options

    /** The name under which the driver connects. */
    private val driver get() = if ("r2dbc" in options) "r2dbc-postgresql" else "PostgreSQL JDBC Driver"

    /** Sends some requests at once that need no database: whether all are answered [within] this time. */
    private fun areOthersServed(within: Duration): Boolean {
        val sockets = List(REQUESTS) { onPostgresql.connect() }
        try {
            sockets.forEach { it.sendGet("/hello") }
            val end = TimeSource.Monotonic.markNow() + within
            return sockets.all { socket ->
                socket.soTimeout = (-end.elapsedNow()).inWholeMilliseconds.toInt().coerceAtLeast(1)
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

    internal fun testsOf(checks: List<Check>, client: ContractClient): List<DynamicTest> = checks.map { check ->
        dynamicTest(check.sentence) { check.violation(client)?.let { fail<Unit>(it) } }
    }

    private fun shipped(variables: Map<String, String>) =
        ShippedStack.read(stack, File("../$folder/stacks.yaml"), isMore = true, variables, options.toList())

    private companion object {
        /** PostgreSQL's message, its error code, and the statement. */
        val DATABASE_WORDS = listOf("permission denied", "42501", "SELECT")

        /** In the pool of each stack. */
        const val CONNECTIONS = 10

        /** More than connections, and than event loops. */
        const val REQUESTS = 16

        /** Requests beyond the number of handler threads, so that each thread is sure to have one. */
        const val SPARE = 8

        /** Requests that are not served within this time wait for the database, on a naive stack. */
        val BLOCKED = 1.seconds
        const val POLL_MILLIS = 20L
        const val NOWHERE = "http://127.0.0.1:1"
        val ARTICLE_CHECKS =
            HttpContract.checks.filter { it.endpoint in setOf("/hello", "/runtime", ARTICLES_PATH) }
    }
}
