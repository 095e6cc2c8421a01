package threadgauge.run.measure

import io.kotest.matchers.shouldBe
import org.HdrHistogram.Histogram
import org.junit.jupiter.api.Test
import threadgauge.load.agent.AgentMessage
import threadgauge.load.agent.encode
import threadgauge.model.AgentHealth
import threadgauge.model.Outcome

class AnswerWatchTest {
    private val watch = AnswerWatch()

    @Test
    fun `a load without any answer is silent, and one that was refused or failed is not`() {
        watch.wasSilent shouldBe false
        watch.see(done()) // It hung in the lead-in.
        watch.wasSilent shouldBe true
        watch.see(done(unfinished = 50))
        watch.wasSilent shouldBe true
        watch.leftovers shouldBe 50
        watch.see(done(failures = mapOf(Outcome.RESPONSE_TIMEOUT to 2)))
        watch.wasSilent shouldBe true
        watch.see(done(unfinished = 50, failures = mapOf(Outcome.REFUSED to 1)))
        watch.wasSilent shouldBe false
        watch.wasRefused shouldBe true
        watch.see(done(answered = 1, unfinished = 50))
        watch.wasSilent shouldBe false
        watch.see(done(failures = mapOf(Outcome.SERVER_ERROR to 50)))
        watch.run { listOf(wasSilent, leftovers) } shouldBe listOf(false, 0L)
    }

    @Test
    fun `the target may be silent for as long as its leftovers can take one after the other`() {
        watch.patienceNanos(SILENCE) shouldBe ALONE_PATIENCE_NANOS // It never answered: one request may take a minute.
        watch.see(done(answered = 100, unfinished = 50, millis = 5_000))
        watch.patienceNanos(SILENCE) shouldBe LEFTOVERS_NANOS // It is unknown how long its work takes.
        watch.see(done(answered = 100, millis = 500))
        watch.see(done(unfinished = 10))
        watch.patienceNanos(SILENCE) shouldBe SILENCE
        watch.see(done(answered = 1, unfinished = 100))
        watch.patienceNanos(SILENCE) / 1_000_000_000 shouldBe 50
        watch.see(done(answered = 1, unfinished = 8_000))
        watch.patienceNanos(SILENCE) shouldBe LEFTOVERS_NANOS
    }

    private fun done(
        answered: Long = 0,
        unfinished: Long = 0,
        failures: Map<Outcome, Long> = emptyMap(),
        millis: Long = 1,
    ): AgentMessage.Done {
        val times = Histogram(3).also { if (answered > 0) it.recordValueWithCount(millis * 1_000_000, answered) }
        return AgentMessage.Done(
            order = 1, windowNanos = 1, scheduled = answered + unfinished, sent = answered + unfinished,
            answered = answered, answeredInWindow = answered, unsent = 0, unfinished = unfinished, failures = failures,
            connectionsOpened = 1, serviceTime = encode(times), sendDelay = encode(times),
            health = AgentHealth(1.0, 0, 0.0, 1.0, 0.0, 1),
        )
    }
}

private const val SILENCE = 10_000_000_000L
