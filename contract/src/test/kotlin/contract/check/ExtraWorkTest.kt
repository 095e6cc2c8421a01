package threadgauge.contract.check

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import java.net.InetAddress
import java.net.ServerSocket
import java.net.URI
import kotlin.concurrent.thread
import kotlin.time.Duration.Companion.seconds
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.contract.HttpContract
import threadgauge.contract.client.Access
import threadgauge.contract.client.ContractClient
import threadgauge.contract.example.Counts
import threadgauge.contract.example.ExampleServer
import threadgauge.contract.example.Sabotage

/** Extra work behind a correct answer: each kind is found, in a server that is otherwise correct. */
@Tag("processes")
class ExtraWorkTest {
    @Test
    fun `one backend call too many is found`() {
        against("/fanout/virtual/1", { uri, counts -> if (uri == "/fanout/virtual/0?calls=3&n=2") counts.call(1) }) {
            it.single() shouldContain
                "GET /fanout/virtual/0?calls=3&n=2: expected 9 backend calls for 3 requests, got 12"
        }
        against("/mobile/users/1", { uri, counts -> if ("from=upstream" in uri) counts.call(1) }) {
            it.single() shouldContain
                "/mobile/users makes two backend calls, and no more: GET /mobile/users/7?ms=0&from=upstream: "
        }
    }

    @Test
    fun `a backend call that is not needed is found`() =
        against("/mobile/users/1", { uri, counts -> if (uri == "/hello") counts.call(1) }) {
            it.single() shouldContain "a request that needs no backend makes no backend call: " +
                "GET /hello: expected 0 backend calls for 3 requests, got 3"
        }

    @Test
    fun `a second statement is found, and so are rows that are not needed`() {
        against("/api/articles/1", { uri, counts -> if (uri == "/api/articles/17") counts.query(rows = 1) }) {
            it.single() shouldContain
                "GET /api/articles/17: expected 1 statements with 1 rows at the database, got 2 with 2"
        }
        against("/api/articles/1", { uri, counts -> if (uri == "/hello") counts.query(rows = 0) }) {
            it.single() shouldContain "a request that needs no rows does not query the database: " +
                "GET /hello: expected 0 statements with 0 rows"
        }
    }

    @Test
    fun `another SQL text is found`() {
        val all = "SELECT * FROM article"
        against("/api/articles/1", { uri, counts ->
            if (uri == "/api/articles?ids=3,1,2") counts.query(rows = 0, all)
        }) {
            it.last() shouldContain
                "/api/articles sends the same SQL as every other stack: GET /api/articles?ids=3,1,2: "
            it.last() shouldContain all
        }
    }

    @Test
    fun `a statement of a pool that opens a connection is no extra work`() {
        var isOpened = false
        against("/api/articles/1", { uri, counts ->
            if (uri == "/api/articles/17" && !isOpened) counts.query(rows = 1).also { isOpened = true }
        }) { it.shouldBeEmpty() }
    }

    @Test
    fun `a header that is not needed is found, unless an option of the stack adds it`() {
        val marking: Sabotage = { _, right -> right().let { it.copy(headers = it.headers + ("X-Served-By" to "me")) } }
        fun violations(adds: Set<String>) = ExampleServer(sabotage = marking).use {
            HttpContract.violations(Access(it.base, adds = adds), "example", "VIRTUAL_THREADS", setOf("/delay/1"))
        }
        violations(setOf("x-served-by")).shouldBeEmpty()
        violations(emptySet()).first() shouldContain
            "GET /hello: expected no header that neither HTTP nor the contract needs, got x-served-by"
    }

    @Test
    fun `a head that is too long is found`() =
        sending("HTTP/1.1 200 OK\r\nDate: ${"x".repeat(2_000)}\r\nContent-Length: 5\r\n\r\nhello") {
            it shouldContain "expected a head of at most 1000 bytes, got 2"
        }

    @Test
    fun `bytes after the answer are found`() =
        sending("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello and more") {
            it shouldContain "/hello sends one answer, and nothing before, within or after it"
            it shouldContain "expected the body of 5 bytes and then the end, got 14: \"hello and more\""
        }

    @Test
    fun `an interim answer is found`() =
        sending("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello") {
            it shouldContain "expected the answer to begin with status 200, got \"HTTP/1.1 103 Early Hints"
        }

    @Test
    fun `extensions of chunks, trailers and many small chunks are found, and plain chunks are not`() {
        val head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        sending("${head}2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n") { it shouldNotContain "/hello sends one answer" }
        val letters = "hello".map { "1\r\n$it\r\n" }.joinToString("")
        val hidden = listOf("5;x=1\r\nhello\r\n0\r\n\r\n", "5\r\nhello\r\n0\r\nX: 1\r\n\r\n", "${letters}0\r\n\r\n")
        for (body in hidden) sending(head + body) { it shouldContain "/hello sends one answer" }
    }

    @Test
    fun `without counters only the answers are checked`() {
        val extra = { _: String, counts: Counts -> counts.call(1).also { counts.query(1) } }
        ExampleServer { exchange, right -> right().also { extra("${exchange.requestURI}", Counts()) } }.use {
            val paths = setOf("/fanout/virtual/1", "/api/articles/1")
            HttpContract.violations(Access(it.base), "example", "VIRTUAL_THREADS", paths).shouldBeEmpty()
        }
    }

    /** A server that does [extra] work, by the path and query of the request, and answers correctly. */
    private fun against(path: String, extra: (String, Counts) -> Unit, verify: (List<String>) -> Unit) {
        val counts = Counts()
        val sabotage: Sabotage = { exchange, right -> right().also { extra("${exchange.requestURI}", counts) } }
        val violations = ExampleServer(counts, sabotage).use {
            HttpContract.violations(
                Access(it.base), "example", "VIRTUAL_THREADS", setOf(path), counters = it.counters,
            )
        }
        withClue(violations) { verify(violations) }
    }

    /** A server that answers every request with [bytes], and closes. */
    private fun sending(bytes: String, verify: (String) -> Unit) =
        ServerSocket(0, 50, InetAddress.getLoopbackAddress()).use { server ->
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
            val client = ContractClient(access, "example", "VIRTUAL_THREADS", 5.seconds)
            verify(client.use(check::violation).orEmpty())
        }
}
