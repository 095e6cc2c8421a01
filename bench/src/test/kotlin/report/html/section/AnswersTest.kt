package threadgauge.report.html.section

import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test
import threadgauge.model.request.Request
import threadgauge.report.Example
import threadgauge.report.exampleRecord
import threadgauge.report.format.ReportContext
import threadgauge.report.judgementWithCounts
import threadgauge.report.recordWithCounts

class AnswersTest {
    private val example = Example(recordWithCounts(), judgementWithCounts())
    private val request = Request(path = "/", gzip = true, count = "outcome")

    @Test
    fun `a line tells each value with its share, and sizes where gzip was asked for`() {
        val answers = Answers("wait", "ktor-netty", 200, mapOf("taken" to 50, "granted" to 150), 20_000, 61_000)
        answers.words(request) shouldBe
            "ktor-netty: outcome granted 150 (75\u202F%), taken 50 (25\u202F%); " +
            "100 bytes per answer as sent, 305 unpacked"
        answers.words(request.copy(gzip = false)) shouldBe
            "ktor-netty: outcome granted 150 (75\u202F%), taken 50 (25\u202F%)"
        answers.copy(answered = 0, counted = emptyMap())
            .words(request) shouldBe "ktor-netty: – bytes per answer as sent, – unpacked"
    }

    @Test
    fun `rare values are put together, and a server's words cannot command a terminal`() {
        val counted = (1L..9L).associateBy { "v$it" } + ("" to 20L) + ("\u001B[2J" + "x".repeat(90) to 30L)
        Answers("wait", "a", 95, counted, 0, 0).words(request.copy(gzip = false)) shouldBe
            "a: outcome \uFFFD[2J${"x".repeat(36)}… 30 (32\u202F%), (empty) 20 (21\u202F%), v9 9 (9.5\u202F%), " +
            "v8 8 (8.4\u202F%), v7 7 (7.4\u202F%), v6 6 (6.3\u202F%), others 15 (16\u202F%)"
    }

    @Test
    fun `trials are added up`() {
        val subject = ReportContext(example.record, example.judgement)
        val samples = subject.samples("ktor-netty", "wait").map { it.second }
        val answers = checkNotNull(subject.answers("ktor-netty", "wait"))
        answers.answered shouldBe samples.sumOf { it.counts.answered }
        answers.counted["granted"] shouldBe samples.sumOf { it.counts.answered / 2 }
        answers.unpackedBytes shouldBe answers.answered * 1_240
        subject.answers("ktor-netty", "nowhere").shouldBeNull()
    }

    @Test
    fun `what was sent and what the answers held stand in both reports`() {
        val terminal = example.terminal().replace(Regex("\\s+"), " ")
        terminal shouldContain
            "(POST /api/seats/{1..10000}/hold, with headers, a body, gzip, checks and a count of outcome, " +
            "100/s for 10 s, then 500/s at random for 10 s, then 1000 at once, over HTTP/2 and TLS, " +
            "10 requests at a time on a connection"
        terminal shouldContain "bytes per answer as sent"
        val html = example.html()
        html shouldContain "Content of the answers"
        html shouldContain "Content-Type: application/json"
        html shouldContain "status 201 or 409"
    }

    @Test
    fun `where nothing is counted or compressed there is no such part`() {
        val usual = Example(exampleRecord())
        usual.html() shouldNotContain "Content of the answers"
        usual.terminal() shouldNotContain "bytes per answer"
    }
}
