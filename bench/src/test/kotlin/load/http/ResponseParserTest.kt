package threadgauge.load.http

import io.kotest.matchers.booleans.shouldBeFalse
import io.kotest.matchers.booleans.shouldBeTrue
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.property.Arb
import io.kotest.property.PropTestConfig
import io.kotest.property.arbitrary.byte
import io.kotest.property.arbitrary.byteArray
import io.kotest.property.arbitrary.int
import io.kotest.property.checkAll
import kotlin.random.Random
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Test
import threadgauge.load.http.http1.ResponseParser
import threadgauge.load.http.http1.ResponseParser.State

class ResponseParserTest {
    @Test
    fun `reads an answer with a content length`() {
        val parser = ResponseParser(Body("hello".toByteArray()))
        val answer = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello"
        parser.feedAll(answer) shouldBe answer.length
        parser.state shouldBe State.DONE
        parser.status shouldBe 200
        parser.body.matches.shouldBeTrue()
        parser.closes.shouldBeFalse()
    }

    @Test
    fun `reads chunks, with extensions and trailers`() {
        val parser = ResponseParser(Body("hello world".toByteArray()))
        parser.feedAll(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" +
                "5;x=y\r\nhello\r\n6\r\n world\r\n0\r\nX-Sum: 1\r\n\r\n",
        )
        parser.state shouldBe State.DONE
        parser.body.matches.shouldBeTrue()
        parser.body.length shouldBe 11
    }

    @Test
    fun `skips 100 Continue`() {
        val parser = ResponseParser()
        parser.feedAll("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
        parser.state shouldBe State.DONE
        parser.status shouldBe 201
    }

    @Test
    fun `answers without a body by their status or their method`() {
        for (head in listOf(
            "HTTP/1.1 204 No Content\r\n\r\n", "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n",
        )) {
            ResponseParser().apply { feedAll(head) }.state shouldBe State.DONE
        }
        ResponseParser(headOnly = true).apply { feedAll("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n") }
            .state shouldBe State.DONE
    }

    @Test
    fun `recognizes that the server closes`() {
        fun closes(head: String) = ResponseParser().apply { feedAll("$head\r\nContent-Length: 0\r\n\r\n") }.closes
        closes("HTTP/1.1 200 OK\r\nConnection: close").shouldBeTrue()
        closes("HTTP/1.1 200 OK\r\nCONNECTION: Close").shouldBeTrue()
        closes("HTTP/1.1 200 OK\r\nConnection: keep-alive").shouldBeFalse()
        closes("HTTP/1.0 200 OK").shouldBeTrue()
        closes("HTTP/1.0 200 OK\r\nConnection: keep-alive").shouldBeFalse()
    }

    @Test
    fun `only a body without a length ends with the connection`() {
        val unbounded = ResponseParser(Body("abc".toByteArray())).apply { feedAll("HTTP/1.1 200 OK\r\n\r\nabc") }
        unbounded.state shouldBe State.BODY
        unbounded.endOfStream().shouldBeTrue()
        unbounded.body.matches.shouldBeTrue()
        ResponseParser().apply { feedAll("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc") }.endOfStream()
            .shouldBeFalse()
    }

    @Test
    fun `a different, shorter or longer body does not match`() {
        for (body in listOf("hellO", "hell", "hello!")) {
            val parser = ResponseParser(Body("hello".toByteArray()))
            parser.feedAll("HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n$body")
            parser.state shouldBe State.DONE
            parser.body.matches.shouldBeFalse()
        }
    }

    @Test
    fun `bytes that are not HTTP are broken`() {
        for (bad in listOf(
            "SSH-2.0-OpenSSH_9.2\r\n",
            "HTTP/1.1 2x0 OK\r\n",
            "HTTP/2 200 OK yes\r\n",
            "\r\n",
            "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 5, 6\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n",
        )) {
            ResponseParser().apply { feedAll(bad) }.state shouldBe State.BROKEN
        }
    }

    @Test
    fun `endless lines, heads, trailers and lines of chunks are too long, and not kept`() {
        val head = "HTTP/1.1 200 OK\r\n"
        val fillers = "X-Filler: 0123456789\r\n".repeat(400)
        for (endless in listOf(
            head + "X: " + "y".repeat(9_000), head + fillers, "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(400),
            head + "Transfer-Encoding: chunked\r\n\r\n0\r\n" + fillers,
            head + "Transfer-Encoding: chunked\r\n\r\n5;x=" + "y".repeat(9_000),
        )) {
            val parser = ResponseParser(maxHeaderBytes = 8_000).apply { feedAll(endless) }
            parser.state shouldBe State.BROKEN
            parser.isTooLong.shouldBeTrue()
            ResponseParser(maxHeaderBytes = 12_000).apply { feedAll(endless) }.state shouldNotBe State.BROKEN
        }
    }

    @Test
    fun `a head of just under a megabyte is read, in one piece and in many`() {
        val head = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX: " + "y".repeat(999_000) + "\r\n\r\nhi"
        val bytes = head.toByteArray()
        for (step in listOf(bytes.size, 64 * 1024, 1_000)) {
            val parser = ResponseParser(Body("hi".toByteArray()))
            for (at in bytes.indices step step) parser.feed(bytes, at, minOf(bytes.size, at + step))
            parser.state shouldBe State.DONE
            parser.body.matches.shouldBeTrue()
        }
    }

    @Test
    fun `stops at the end of an answer and reads the next one after a reset`() {
        val answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
        val both = (answer + answer).toByteArray()
        val parser = ResponseParser(Body("hi".toByteArray()))
        parser.feed(both, 0, both.size) shouldBe answer.length
        parser.reset()
        parser.feed(both, answer.length, both.size) shouldBe both.size
        parser.state shouldBe State.DONE
    }

    @Test
    fun `pieces of any size give the same result as the whole`() = runBlocking<Unit> {
        val answers = listOf(
            "HTTP/1.1 200 OK\r\nContent-Length: 11\r\nConnection: close\r\n\r\nhello world",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nh\r\na\r\nello world\r\n0\r\n\r\n",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 404 Not Found\r\nContent-Length: 11\r\n\r\nhello world",
        )
        checkAll(PropTestConfig(seed = 1, iterations = 500), Arb.int()) { seed ->
            val random = Random(seed)
            val bytes = answers.random(random).toByteArray()
            val whole = ResponseParser(Body("hello world".toByteArray())).apply { feed(bytes, 0, bytes.size) }
            val pieces = ResponseParser(Body("hello world".toByteArray()))
            var at = 0
            while (at < bytes.size) {
                val to = minOf(bytes.size, at + 1 + random.nextInt(9))
                pieces.feed(bytes, at, to) shouldBe to
                at = to
            }
            listOf(pieces.state, pieces.status, pieces.closes, pieces.body.matches) shouldBe
                listOf(whole.state, whole.status, whole.closes, whole.body.matches)
            pieces.state shouldBe State.DONE
        }
    }

    @Test
    fun `random bytes never throw and never run past the end`() = runBlocking<Unit> {
        val start = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".toByteArray()
        val junks = Arb.byteArray(Arb.int(0, 300), Arb.byte())
        checkAll(PropTestConfig(seed = 1, iterations = 2_000), junks, Arb.int(0, start.size)) { junk, kept ->
            val bytes = start.copyOf(kept) + junk
            val parser = ResponseParser(Body("x".toByteArray()))
            var at = 0
            while (at < bytes.size && parser.state < State.DONE) {
                at = parser.feed(bytes, at, minOf(bytes.size, at + 7)).also { check(it > at) }
            }
            check(at <= bytes.size)
        }
    }
}

private fun ResponseParser.feedAll(text: String) = text.toByteArray().let { feed(it, 0, it.size) }
