package threadgauge.tickets.service.http

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import kotlinx.coroutines.delay
import kotlinx.coroutines.test.currentTime
import kotlinx.coroutines.test.runTest
import org.junit.jupiter.api.Test
import org.springframework.http.HttpHeaders
import org.springframework.http.ProblemDetail
import org.springframework.http.ResponseEntity
import threadgauge.tickets.sale.EventServiceBusy
import threadgauge.tickets.service.Settings
import java.sql.SQLException
import java.time.Duration
import kotlin.time.Duration.Companion.microseconds
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

class ProblemsTest {
    @Test
    fun `whoever is told to come back is told whole seconds, and never too few`() {
        fun told(wait: kotlin.time.Duration) = Problem.BUSY.answer("too many", wait).headers[HttpHeaders.RETRY_AFTER]
        listOf(400.microseconds, 1.seconds, 1_000_400.microseconds, 1_500.milliseconds).map { told(it) } shouldBe
            listOf(listOf("1"), listOf("1"), listOf("2"), listOf("2"))
        Problems().answer(EventServiceBusy(3.seconds), "GET", "/events", null).headers[HttpHeaders.RETRY_AFTER] shouldBe listOf("3")
    }

    @Test
    fun `what to do when nobody knows is told as it fits what was asked`() {
        fun told(method: String, path: String) = detail(Problems().answer(SQLException("select secret"), method, path, "id-1"))
        told("POST", "/events/1/reservations") shouldContain "same Idempotency-Key"
        told("POST", "/reservation") shouldContain "same Idempotency-Key"
        told("POST", "/events") shouldContain "GET /events before"
        told("POST", "/reservations/x/confirm") shouldContain "twice is as good as once"
        listOf("POST" to "/events", "GET" to "/events/1").forEach { (method, path) ->
            told(method, path) shouldNotContain "Idempotency-Key"
            told(method, path) shouldNotContain "secret"
        }
    }

    @Test
    fun `what takes several steps is bounded by twice the patience`() = runTest {
        val settings = Settings(Settings.Database("", "", ""), queue = Settings.Queue(timeout = Duration.ofSeconds(3)))
        withDeadline(settings) { delay(5_999); ResponseEntity.ok("in time") }.body shouldBe "in time"
        val began = currentTime
        shouldThrow<OutcomeUnknown> { withDeadline(settings) { delay(60_000); ResponseEntity.ok("late") } }
        currentTime - began shouldBe 6_000
    }

    private fun detail(answer: ResponseEntity<Any>) = (answer.body as ProblemDetail).detail!!
}
