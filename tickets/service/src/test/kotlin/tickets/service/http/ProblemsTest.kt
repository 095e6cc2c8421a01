package threadgauge.tickets.service.http

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import java.sql.SQLException
import java.time.Duration
import kotlin.time.Duration.Companion.microseconds
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.delay
import kotlinx.coroutines.test.currentTime
import kotlinx.coroutines.test.runTest
import org.junit.jupiter.api.Test
import org.springframework.http.HttpHeaders
import org.springframework.http.ProblemDetail
import org.springframework.http.ResponseEntity
import threadgauge.tickets.sale.EventServiceBusy
import threadgauge.tickets.service.Settings

class ProblemsTest {
    @Test
    fun `Retry-After has whole seconds, rounded up`() {
        fun retryAfter(wait: kotlin.time.Duration) =
            Problem.BUSY.answer("too many", wait).headers[HttpHeaders.RETRY_AFTER]
        listOf(400.microseconds, 1.seconds, 1_000_400.microseconds, 1_500.milliseconds).map { retryAfter(it) } shouldBe
            listOf(listOf("1"), listOf("1"), listOf("2"), listOf("2"))
        val busy = Problems().answer(EventServiceBusy(3.seconds), "GET", "/events", null)
        busy.headers[HttpHeaders.RETRY_AFTER] shouldBe listOf("3")
    }

    @Test
    fun `an unknown outcome comes with advice that fits the request`() {
        fun advice(method: String, path: String) =
            detail(Problems().answer(SQLException("select secret"), method, path, "id-1"))
        advice("POST", "/events/1/reservations") shouldContain "same Idempotency-Key"
        advice("POST", "/reservation") shouldContain "same Idempotency-Key"
        advice("POST", "/events") shouldContain "GET /events before"
        advice("POST", "/reservations/x/confirm") shouldContain "a repetition has no further effect"
        listOf("POST" to "/events", "GET" to "/events/1").forEach { (method, path) ->
            advice(method, path) shouldNotContain "Idempotency-Key"
            advice(method, path) shouldNotContain "secret"
        }
    }

    @Test
    fun `several steps together are limited to twice the timeout`() = runTest {
        val settings = Settings(Settings.Database("", "", ""), queue = Settings.Queue(timeout = Duration.ofSeconds(3)))
        withDeadline(settings) { delay(5_999); ResponseEntity.ok("in time") }.body shouldBe "in time"
        val began = currentTime
        shouldThrow<OutcomeUnknown> { withDeadline(settings) { delay(60_000); ResponseEntity.ok("late") } }
        currentTime - began shouldBe 6_000
    }

    private fun detail(answer: ResponseEntity<Any>) = (answer.body as ProblemDetail).detail!!
}
