package threadgauge.contract.example

import com.sun.net.httpserver.HttpExchange
import com.sun.net.httpserver.HttpServer
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.URI
import java.nio.charset.Charset
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.Executors
import java.util.concurrent.atomic.AtomicInteger
import threadgauge.contract.check.article.ARTICLES_PATH
import threadgauge.contract.check.article.expectedArticles
import threadgauge.contract.check.customer.CUSTOMERS
import threadgauge.contract.check.work.referenceString
import threadgauge.contract.check.work.waits
import threadgauge.contract.client.DependencyCounters

/** An answer to send. */
internal data class Reply(
    val status: Int,
    val type: String,
    val body: String,
    val headers: Map<String, String> = emptyMap(),
    val charset: Charset = Charsets.UTF_8,
    /** So many characters of the [body] are sent at a time, [pauseMillis] after those before; null: all of them. */
    val pieces: Int? = null,
    val pauseMillis: Long = 0,
)

internal fun text(body: String) = Reply(200, "text/plain;charset=UTF-8", body)

internal fun problem(status: Int, title: String, detail: String) = Reply(
    status,
    "application/problem+json",
    """{"type":"about:blank","title":"$title","status":$status,"detail":"$detail"}""",
    if (status == 405) mapOf("Allow" to detail.substringAfterLast(' ')) else emptyMap(),
)

internal typealias Sabotage = (HttpExchange, right: () -> Reply) -> Reply

/**
 * A server of a few lines that keeps the contract. [sabotage] gets each exchange first, with the correct reply, and
 * returns the reply to send. It may also wait, or throw [Silence].
 */
internal class ExampleServer(
    private val counts: Counts = Counts(),
    private val sabotage: Sabotage = { _, right -> right() },
) : AutoCloseable {
    private val threads = Executors.newVirtualThreadPerTaskExecutor()
    private val server = HttpServer.create(InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0).apply {
        executor = threads
        createContext("/") { exchange -> answer(exchange) }
        createContext("/counters") { exchange -> counts.answer(exchange) }
        start()
    }

    val base: URI = URI("http://127.0.0.1:${server.address.port}")

    /** Of the backend and the database that this server pretends to call. */
    val counters = DependencyCounters(base.resolve("/counters/"), base.resolve("/counters/"))

    private fun answer(exchange: HttpExchange) {
        val reply = try {
            sabotage(exchange) { right(exchange) }
        } catch (_: Silence) {
            Thread.sleep(60_000)
            return
        }
        reply.headers.forEach { (name, value) -> exchange.responseHeaders.set(name, value) }
        exchange.responseHeaders.set("Content-Type", reply.type)
        if (reply.pieces != null) return trickle(exchange, reply, reply.pieces)
        val bytes = reply.body.toByteArray(reply.charset)
        exchange.sendResponseHeaders(reply.status, if (bytes.isEmpty()) -1 else bytes.size.toLong())
        exchange.responseBody.use { it.write(bytes) }
    }

    private fun trickle(exchange: HttpExchange, reply: Reply, characters: Int) {
        exchange.sendResponseHeaders(reply.status, 0)
        exchange.responseBody.use { out ->
            reply.body.chunked(characters).forEach {
                Thread.sleep(reply.pauseMillis)
                out.write(it.toByteArray(reply.charset))
                out.flush()
            }
        }
    }

    private fun right(exchange: HttpExchange): Reply {
        val path = exchange.requestURI.path
        val number = path.substringAfterLast('/').takeIf { it.all(Char::isDigit) }?.toIntOrNull()
        val endpoint = path.substringBeforeLast('/')
        return when {
            path == CUSTOMERS -> replyToCustomer(exchange)
            exchange.requestMethod != "GET" -> problem(405, "Method Not Allowed", "this path accepts only GET")
            path == "/hello" -> text("hello")
            path == "/runtime" -> Reply(200, "application/json", report(Thread.currentThread().isVirtual))
            path == "/metrics" -> text("jvm_threads 1\n")
            endpoint in waits && number != null && number <= 60_000 -> {
                Thread.sleep(number.toLong())
                text("${waits[endpoint]} $number")
            }
            endpoint in waits -> problem(400, "Bad Request", "ms must be a whole number from 0 to 60000")
            endpoint == "/api/random/string" && number != null && number <= 1_000_000 -> text(referenceString(number))
            endpoint == "/api/random/string" ->
                problem(400, "Bad Request", "length must be a whole number from 0 to 1000000")
            path.startsWith(ARTICLES_PATH) -> articles(exchange.requestURI)
            else -> replyOfBackends(exchange.requestURI, counts)
                ?: problem(404, "Not Found", "nothing is served at this path")
        }
    }

    private fun articles(uri: URI): Reply {
        val body = expectedArticles("$uri")
            ?: return problem(400, "Bad Request", if (uri.path == ARTICLES_PATH) WRONG_IDS else WRONG_ID)
        counts.query(rows = body.split("\"id\":").size - 1)
        return Reply(200, "application/json", body)
    }

    override fun close() {
        server.stop(0)
        threads.shutdownNow()
    }
}

private const val WRONG_ID = "id must be a whole number from 1 to 100000"
private const val WRONG_IDS = "ids must be 1 to 1000 whole numbers from 1 to 100000, separated by commas"

/** Calls and statements that the example pretends to have made. Any thread may count. */
internal class Counts {
    private val calls = AtomicInteger()
    private val overlaps = AtomicInteger()
    private val statements = AtomicInteger()
    private val rows = AtomicInteger()
    private val executions = ConcurrentHashMap<String, Int>()

    /** So many [times], [atOnce] at a time. */
    fun call(times: Int, atOnce: Int = 1) {
        calls.addAndGet(times)
        repeat(times) { overlaps.addAndGet(it % atOnce) }
    }

    fun overlap() {
        overlaps.incrementAndGet()
    }

    fun query(rows: Int, sql: String = CORRECT_SQL) {
        statements.incrementAndGet()
        this.rows.addAndGet(rows)
        executions.merge(sql, 1, Int::plus)
    }

    fun answer(exchange: HttpExchange) = exchange.use {
        val lines = executions.entries.joinToString("") { (sql, times) -> "executed $times $sql\n" }
        val bytes = "requests $calls\noverlaps $overlaps\nstatements $statements\nrows $rows\n$lines".toByteArray()
        exchange.sendResponseHeaders(200, bytes.size.toLong())
        exchange.responseBody.write(bytes)
    }
}

private const val CORRECT_SQL = "SELECT article.author, article.body, article.id, article.title FROM article " +
    "WHERE article.id IN (\$1 /*, ... */) ORDER BY article.id ASC"

/** The request is never answered. */
internal class Silence : RuntimeException()

internal fun report(virtual: Boolean = true, model: String = "VIRTUAL_THREADS", thread: String = "") = """
    {"stack":"example","framework":"none","engine":"JDK","model":"$model",
     "handlerThread":{"name":"$thread","virtual":$virtual},"java":"25","processors":2,"pid":7,
     "collectors":["G1"],"heapMaxBytes":1000,"concurrencyLimits":{"/hello":3},"startupMillis":null,"settings":{"a":"b"}}
"""
