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

/** What callers are told at the door; how turns are given is tested where the rule is. */
class WaitingRoomApiTest {
    private val event = EventId(1)
    private val key = IdempotencyKey.of("my-wish")!!

    @Test
    fun `where the door is open nobody needs a turn, and a turn is now`() = runBlocking<Unit> {
        val admission = admission(rate = 0.0)
        admission.rejection(null, event, key) shouldBe null
        admission.rejection("anything", event, key) shouldBe null
        (admissions(admission).admit("1", "my-wish").body as AdmissionBody).waitMillis shouldBe 0
    }

    @Test
    fun `whoever has a turn enters with the same key, and nobody else does`() = runBlocking<Unit> {
        val admission = admission(rate = 1.0)
        val first = admissions(admission).admit("1", "my-wish").body as AdmissionBody
        admission.rejection(first.token, event, key) shouldBe null
        admission.rejection(null, event, key).problem(403) shouldContain "missing"
        admission.rejection(first.token, event, IdempotencyKey.of("other")!!).problem(403) shouldContain "not a token for this event"
        admission.rejection("1.forged", event, key).problem(403) shouldContain "/admissions"
    }

    @Test
    fun `whoever comes too early is told when to come back`() = runBlocking<Unit> {
        // So slow that the machine cannot be slower.
        val admission = admission(rate = 0.01)
        admissions(admission).admit("1", "before")
        val turn = admissions(admission).admit("1", "my-wish").body as AdmissionBody
        turn.waitMillis shouldBeInRange 1L..100_000L
        val early = admission.rejection(turn.token, event, key)!!
        early.problem(503) shouldContain "not your turn"
        early.headers.getFirst("Retry-After")!!.toLong() shouldBeInRange 1L..100L
    }

    @Test
    fun `an event that is not on sale has no turns, and too many are sent away`() = runBlocking<Unit> {
        // A hundred seconds for each, so half an hour has room for nineteen.
        val admissions = admissions(admission(rate = 0.01))
        admissions.admit("7", "my-wish").statusCode.value() shouldBe 404
        val answers = List(25) { admissions.admit("1", "wish-$it") }
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
