package threadgauge.contract.check

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import java.net.InetAddress
import java.net.ServerSocket
import java.net.URI
import kotlin.concurrent.thread
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.contract.HttpContract
import threadgauge.contract.client.Access
import threadgauge.contract.client.Visit
import threadgauge.contract.example.Counts
import threadgauge.contract.example.ExampleServer
import threadgauge.contract.example.Sabotage

/** The right answer with more work than was asked for: each kind is found, in a server that is otherwise right. */
@Tag("processes")
class ExtraWorkTest {
    @Test
    fun `one call of the backend too many is found`() {
        against("/fanout/virtual/1", { exchange, counts -> if (exchange == "/fanout/virtual/0?calls=3&n=2") counts.call(1) }) {
            it.single() shouldContain "GET /fanout/virtual/0?calls=3&n=2: expected 9 calls of the backend for 3 requests, got 12"
        }
        against("/mobile/users/1", { exchange, counts -> if ("from=upstream" in exchange) counts.call(1) }) {
            it.single() shouldContain "/mobile/users calls the backend twice, and no more: GET /mobile/users/7?ms=0&from=upstream: "
        }
    }

    @Test
    fun `a call of the backend where none is needed is found`() =
        against("/mobile/users/1", { exchange, counts -> if (exchange == "/hello") counts.call(1) }) {
            it.single() shouldContain "what needs no backend calls none: GET /hello: expected 0 calls of the backend for 3 requests, got 3"
        }

    @Test
    fun `a second statement is found, and rows that nobody asked for are`() {
        against("/api/articles/1", { exchange, counts -> if (exchange == "/api/articles/17") counts.ask(rows = 1) }) {
            it.single() shouldContain "GET /api/articles/17: expected 1 statements with 1 rows at the database, got 2 with 2"
        }
        against("/api/articles/1", { exchange, counts -> if (exchange == "/hello") counts.ask(rows = 0) }) {
            it.single() shouldContain "what needs no rows asks the database nothing: GET /hello: expected 0 statements with 0 rows"
        }
    }

    @Test
    fun `a statement in other words is found`() {
        val all = "SELECT * FROM article"
        against("/api/articles/1", { exchange, counts -> if (exchange == "/api/articles?ids=3,1,2") counts.ask(rows = 0, all) }) {
            it.last() shouldContain "/api/articles asks the database by the same words as every other stack: GET /api/articles?ids=3,1,2: "
            it.last() shouldContain all
        }
    }

    @Test
    fun `what a pool asks once, when it opens a connection, is no extra work`() {
        var isOpened = false
        against("/api/articles/1", { exchange, counts ->
            if (exchange == "/api/articles/17" && !isOpened) counts.ask(rows = 1).also { isOpened = true }
        }) { it.shouldBeEmpty() }
    }

    @Test
    fun `a header that nobody needs is found, unless the stack has an option that adds it`() {
        val marking: Sabotage = { _, right -> right().let { it.copy(headers = it.headers + ("X-Served-By" to "me")) } }
        fun violations(adds: Set<String>) = ExampleServer(sabotage = marking)
            .use { HttpContract.violations(Access(it.base, adds = adds), "example", "VIRTUAL_THREADS", setOf("/delay/1")) }
        violations(setOf("x-served-by")).shouldBeEmpty()
        violations(emptySet()).first() shouldContain
            "GET /hello: expected no header that neither HTTP nor the contract needs, got x-served-by"
    }

    @Test
    fun `a head that is too long is found`() = saying("HTTP/1.1 200 OK\r\nDate: ${"x".repeat(2_000)}\r\nContent-Length: 5\r\n\r\nhello") {
        it shouldContain "expected a head of at most 1000 bytes, got 2"
    }

    @Test
    fun `bytes after the answer are found`() = saying("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello and more") {
        it shouldContain "/hello sends one answer, and nothing before, within or after it"
        it shouldContain "expected the body of 5 bytes and then the end, got 14: \"hello and more\""
    }

    @Test
    fun `an interim answer is found`() = saying("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello") {
        it shouldContain "expected the answer to begin with status 200, got \"HTTP/1.1 103 Early Hints"
    }

    @Test
    fun `what is hidden between chunks and behind them is found, and chunks are not`() {
        val head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        saying("${head}2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n") { it shouldNotContain "/hello sends one answer" }
        val letters = "hello".map { "1\r\n$it\r\n" }.joinToString("")
        for (hidden in listOf("5;x=1\r\nhello\r\n0\r\n\r\n", "5\r\nhello\r\n0\r\nX: 1\r\n\r\n", "${letters}0\r\n\r\n")) {
            saying(head + hidden) { it shouldContain "/hello sends one answer" }
        }
    }

    @Test
    fun `without anything that counts, only what is sent is checked`() {
        val extra = { _: String, counts: Counts -> counts.call(1).also { counts.ask(1) } }
        ExampleServer { exchange, right -> right().also { extra("${exchange.requestURI}", Counts()) } }.use {
            val paths = setOf("/fanout/virtual/1", "/api/articles/1")
            HttpContract.violations(Access(it.base), "example", "VIRTUAL_THREADS", paths).shouldBeEmpty()
        }
    }

    /** A server that does [extra] work for what it is asked, by its path and query, and answers rightly. */
    private fun against(path: String, extra: (String, Counts) -> Unit, verify: (List<String>) -> Unit) {
        val counts = Counts()
        val violations = ExampleServer(counts) { exchange, right -> right().also { extra("${exchange.requestURI}", counts) } }.use {
            HttpContract.violations(Access(it.base), "example", "VIRTUAL_THREADS", setOf(path), beside = it.beside)
        }
        withClue(violations) { verify(violations) }
    }

    /** A server that answers everything with [bytes], and closes. */
    private fun saying(bytes: String, verify: (String) -> Unit) = ServerSocket(0, 50, InetAddress.getLoopbackAddress()).use { server ->
        thread(isDaemon = true) {
            runCatching {
                while (true) server.accept().use { socket ->
                    socket.getInputStream().read(ByteArray(10_000))
                    socket.getOutputStream().write(bytes.toByteArray())
                }
            }
        }
        val access = Access(URI("http://127.0.0.1:${server.localPort}"))
        val check = HttpContract.plainChecks.single { it.sentence.startsWith("/hello sends one answer") }
        verify(Visit(access, "example", "VIRTUAL_THREADS", kotlin.time.Duration.parse("5s")).use(check::violation).orEmpty())
    }
}
