package threadgauge.tickets.faults

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.longs.shouldBeGreaterThan
import java.nio.file.Path
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test

/** A short soak; `benchmarks/tickets-soak` runs it for any time. */
@Tag("processes")
class SoakTest {
    @Test
    fun `services killed and cut off from their database, which is killed as well, keep every promise`() {
        val settings = SoakSettings(
            Path.of("../..").toRealPath(), replicas = 2, clients = 16, requestsPerRound = 800, capacity = 1_000,
            maxPauseMillis = 800,
        )
        Soak(settings).use { soak ->
            while (soak.tally().let { it.kills < KILLS || it.unacknowledgedCommits < 1 }) soak.round()
            val tally = soak.tally()
            withClue(tally.faults) {
                tally.broken.shouldBeEmpty()
                tally.kills shouldBeGreaterThanOrEqual KILLS
                tally.unacknowledgedCommits shouldBeGreaterThanOrEqual 1
                tally.granted shouldBeGreaterThan 0
            }
        }
    }

    @Test
    fun `a queue in a Redis that is killed, emptied and paused breaks no promise`() {
        val settings = SoakSettings(
            Path.of("../..").toRealPath(), replicas = 2, strategy = "queue", clients = 16, requestsPerRound = 400,
            capacity = 500, maxPauseMillis = 800, redisFaults = 40,
        )
        Soak(settings).use { soak ->
            while (!soak.tally().faults.keys.containsAll(REDIS_FAULTS)) soak.round()
            val tally = soak.tally()
            withClue(tally.faults) {
                tally.broken.shouldBeEmpty()
                tally.granted shouldBeGreaterThan 0
            }
        }
    }

    private companion object {
        const val KILLS = 2
        val REDIS_FAULTS = setOf(LocalFaults.KILLED_REDIS, LocalFaults.EMPTIED_REDIS, LocalFaults.PAUSED_REDIS)
    }
}
