package threadgauge.server.work

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.longs.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

class WorkTest {
    @Test
    fun `the length determines the random string`() {
        randomString(0) shouldBe ""
        randomString(2) shouldBe "ku"
        randomString(16) shouldBe "WE0knOXAi2pnB0On"
        randomString(MAX_LENGTH).length shouldBe MAX_LENGTH
    }

    @Test
    fun `numbers are decimal digits within their range`() {
        millisOf("0") shouldBe 0
        millisOf("60000") shouldBe 60_000
        lengthOf("1000000") shouldBe 1_000_000
        listOf("", "-1", "+1", "1.5", "ten", "٣", "60001", "99999999999999999999").forEach {
            shouldThrow<BadRequest> { millisOf(it) }.message shouldBe "ms must be a whole number from 0 to 60000"
        }
        shouldThrow<BadRequest> { lengthOf("1000001") }.message shouldBe
            "length must be a whole number from 0 to 1000000"
    }

    @Test
    fun `a blocking call blocks for the given time`() {
        val start = System.nanoTime()
        blockThread(20)
        System.nanoTime() - start shouldBeGreaterThanOrEqual 20_000_000
    }

    @Test
    fun `texts in JSON are escaped`() {
        json(mapOf("a\"\\" to listOf("\n", 1, true, null))) shouldBe """{"a\"\\":["\u000a",1,true,null]}"""
    }

    @Test
    fun `the dispatcher for blocking calls has the threads of its property, or 64, or one per processor`() {
        ioDispatcherThreads shouldBe maxOf(64, Runtime.getRuntime().availableProcessors())
        System.setProperty("kotlinx.coroutines.io.parallelism", "7")
        try {
            ioDispatcherThreads shouldBe 7
        } finally {
            System.clearProperty("kotlinx.coroutines.io.parallelism")
        }
    }

    @Test
    fun `arguments are options with a value`() {
        optionsOf(arrayOf("--port=1", "--stack.name=a=b")) shouldBe mapOf("port" to "1", "stack.name" to "a=b")
        shouldThrow<IllegalArgumentException> { optionsOf(arrayOf("-port=1")) }.message shouldBe
            "expected --name=value, got -port=1"
    }

    @Test
    fun `a report names its thread and its limits`() {
        val here = Thread.currentThread()
        val limits = mapOf("/block" to 2)
        val settings = mapOf("a" to "b")
        val report = ServerReport("s", "f", "e", Model.COROUTINES, here, limits, null, settings, maxConnections = 3)
        report.json shouldContain """"handlerThread":{"name":"${here.name}","virtual":false}"""
        report.json shouldContain """"concurrencyLimits":{"/block":2},"maxConnections":3,"maxCalls":null,""" +
            """"startupMillis":null,"settings":{"a":"b","heap max":"""
    }

    @Test
    fun `the first invalid field of a customer is reported, with lengths in Unicode characters`() {
        Customer.of("Ada", "Lovelace", "ada@example.org", null).fullName shouldBe "Ada Lovelace"
        Customer.of("😀".repeat(100), "é", "@", "€".repeat(500)).note?.length shouldBe 500
        mapOf(
            listOf(null, null, null, null) to "first_name must be 1 to 100 characters",
            listOf("😀".repeat(101), "", "", "") to "first_name must be 1 to 100 characters",
            listOf("a", "", "", "") to "last_name must be 1 to 100 characters",
            listOf("a", "b", "c", "d".repeat(501)) to "email must be 1 to 200 characters with exactly one @",
            listOf("a", "b", "c@@", null) to "email must be 1 to 200 characters with exactly one @",
            listOf("a", "b", "c@", "d".repeat(501)) to "note must be at most 500 characters",
            listOf("", "b", "c@", "\uD83D") to "the body is not a customer",
            listOf("a\u0000", "b", "c@", "") to "the body is not a customer",
        ).forEach { (sent, detail) ->
            shouldThrow<BadRequest> { Customer.of(sent[0], sent[1], sent[2], sent[3]) }.message shouldBe detail
        }
    }

    @Test
    fun `a problem names the accepted method`() {
        Problem.methodNotAllowed("POST").json shouldContain "this path accepts only POST"
        Problem.methodNotAllowed shouldBe Problem.methodNotAllowed("GET")
    }
}
