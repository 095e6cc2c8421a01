package threadgauge.tickets.service.http

import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Test
import org.springframework.http.ProblemDetail
import org.springframework.http.ResponseEntity
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.service.Settings

/** Responses of the waiting room. How slots are assigned is tested in the core (`WaitingRoomTest`). */
class WaitingRoomApiTest {
    private val event = EventId(1)
    private val key = IdempotencyKey.of("my-key")!!

    @Test
    fun `without a waiting room no slot is needed, and a slot is now`() = runBlocking<Unit> {
        val admission = admission(rate = 0.0)
        admission.rejection(null, event, key) shouldBe null
        admission.rejection("anything", event, key) shouldBe null
        (admissions(admission).admit("1", "my-key").body as AdmissionBody).waitMillis shouldBe 0
    }

    @Test
    fun `a token admits only the key that it was issued for`() = runBlocking<Unit> {
        val admission = admission(rate = 1.0)
        val first = admissions(admission).admit("1", "my-key").body as AdmissionBody
        admission.rejection(first.token, event, key) shouldBe null
        admission.rejection(null, event, key).problem(403) shouldContain "missing"
        val other = IdempotencyKey.of("other")!!
        admission.rejection(first.token, event, other).problem(403) shouldContain "not a token for this event"
        admission.rejection("1.forged", event, key).problem(403) shouldContain "/admissions"
    }

    @Test
    fun `a request before its slot gets the time to wait`() = runBlocking<Unit> {
        // Far below the speed of any machine.
        val admission = admission(rate = 0.01)
        admissions(admission).admit("1", "before")
        val slot = admissions(admission).admit("1", "my-key").body as AdmissionBody
        slot.waitMillis shouldBeInRange 1L..100_000L
        val early = admission.rejection(slot.token, event, key)!!
        early.problem(503) shouldContain "time slot has not begun"
        early.headers.getFirst("Retry-After")!!.toLong() shouldBeInRange 1L..100L
    }

    @Test
    fun `an unknown event has no slots, and too many clients are rejected`() = runBlocking<Unit> {
        // 100 s between slots, so the maximum wait of 30 minutes allows 19.
        val admissions = admissions(admission(rate = 0.01))
        admissions.admit("7", "my-key").statusCode.value() shouldBe 404
        val answers = List(25) { admissions.admit("1", "key-$it") }
        answers.count { it.statusCode.value() == 200 } shouldBe 19
        answers.last().problem(503) shouldContain "Too many"
    }

    private fun admission(rate: Double) = AdmissionControl(
        Settings(Settings.Database("", "", ""), admission = Settings.Room(rate, "the secret of all services")),
    )

    private fun admissions(admission: AdmissionControl) = AdmissionController(admission, KnownEvents(OneEventService()))

    private fun ResponseEntity<Any>?.problem(status: Int): String {
        this!!.statusCode.value() shouldBe status
        return (body as ProblemDetail).detail!!
    }
}
