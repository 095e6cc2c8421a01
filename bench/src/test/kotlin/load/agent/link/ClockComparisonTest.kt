package threadgauge.load.agent.link

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.longs.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import java.util.SplittableRandom
import kotlin.math.abs
import org.junit.jupiter.api.Test

class ClockComparisonTest {
    @Test
    fun `an answer in the middle of its round trip gives the offset exactly`() {
        // Two hours ahead, five milliseconds away.
        val exchange = ClockExchange(
            sentNanos = 1_000, sentEpochNanos = 50_000, theirNanos = 777 + 5_000_000 + 1_000,
            theirEpochNanos = 50_000 + 5_000_000 + TWO_HOURS, receivedNanos = 10_001_000,
        )
        clockOffset(listOf(exchange)).let {
            it.aheadNanos shouldBe TWO_HOURS
            it.monotonicNanos shouldBe 777
            it.boundNanos shouldBe 5_000_000
            it.medianNanos shouldBe 10_000_000
        }
    }

    @Test
    fun `whatever delays there are on either way, the offset is within its bound, and the fastest exchange decides`() {
        val random = SplittableRandom(7)
        repeat(1_000) {
            val ahead = random.nextLong(-TWO_HOURS, TWO_HOURS)
            val monotonic = random.nextLong(-TWO_HOURS, TWO_HOURS)
            val exchanges = List(1 + random.nextInt(20)) { exchange(random, ahead, monotonic) }
            val offset = clockOffset(exchanges)
            abs(offset.aheadNanos - ahead) shouldBeLessThanOrEqual offset.boundNanos
            abs(offset.monotonicNanos - monotonic) shouldBeLessThanOrEqual offset.boundNanos
            val shortest = exchanges.minOf { it.roundTripNanos }
            offset.shortestNanos shouldBe shortest
            offset.boundNanos shouldBe (shortest + 1) / 2
            offset.longestNanos shouldBe exchanges.maxOf { it.roundTripNanos }
        }
    }

    @Test
    fun `without an exchange nothing is known`() {
        shouldThrow<IllegalArgumentException> { clockOffset(emptyList()) }
    }

    private fun exchange(random: SplittableRandom, ahead: Long, monotonic: Long): ClockExchange {
        val sent = random.nextLong(1_000_000_000)
        val epoch = 1_700_000_000_000_000_000 + sent
        val out = random.nextLong(50_000_000)
        val back = random.nextLong(50_000_000)
        return ClockExchange(sent, epoch, sent + out + monotonic, epoch + out + ahead, sent + out + back)
    }

    private companion object {
        const val TWO_HOURS = 7_200_000_000_000L
    }
}
