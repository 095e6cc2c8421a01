package threadgauge.stats

import io.kotest.assertions.withClue
import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.ints.shouldBeGreaterThan
import java.util.Locale
import java.util.random.RandomGenerator
import kotlin.math.ln
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.stats.rounds.PairedRatio
import threadgauge.stats.rounds.SequentialBounds
import threadgauge.stats.rounds.pairedRatio

/**
 * How often intervals hold the truth where slices are not made up: 43 blocks of 13 runs of a server against itself, as
 * `benchmarks/resolution/run same 40 --minutes 1.75` recorded them on a shared virtual machine with two cores. The
 * truth is a ratio of 1. Runs are put together from blocks drawn at random with replacement, so what a block holds,
 * correlation of its slices, skew, bursts, is as it was.
 *
 * Of 4,000 intervals that hold the truth 95 times in 100, between 94.3 and 95.7 in 100 do so in 95 of 100 tests. The
 * blocks themselves are a sample, whose mean has a standard error of 0.0008 and is 0.00005 from the truth.
 */
@Tag("slow")
class RecordedCoverageTest {
    private val blocks: List<List<Double>> = checkNotNull(javaClass.getResource("/threadgauge/stats/equal-servers.csv"))
        .readText().trim().lines().drop(1).map { it.split(',') }
        .groupBy({ it[0] to it[1] }, { ln(it[3].toDouble()) }).values.toList()

    @Test
    fun `of 4,000 runs of recorded blocks 93 to 97 in 100 hold the truth`() {
        blocks.size shouldBeGreaterThan 40
        for (count in listOf(3, 5, 8)) withClue("$count blocks") {
            val random = fastRandom(count.toLong())
            val hits = (1..DRAWS).count { 1.0 in pairedRatio(List(count) { drawn(random) })!!.interval() }
            tell("$count blocks", hits)
            (hits / DRAWS.toDouble()).shouldBeBetween(0.93, 0.97, 0.0)
        }
    }

    @Test
    fun `so do those that look after every block and end when narrow or told`() {
        for (within in listOf(0.003, 0.01)) withClue("within $within") {
            val random = fastRandom((within * 1e4).toLong())
            val bounds = SequentialBounds(MAX_BLOCKS)
            var all = 0
            val hits = (1..DRAWS).count {
                val seen = ArrayList(List(MIN_TRIALS) { drawn(random) })
                while (seen.size < MAX_BLOCKS && !isEnough(pairedRatio(seen)!!, seen.size, bounds, within)) {
                    seen += drawn(random)
                }
                all += seen.size
                1.0 in pairedRatio(seen)!!.interval(bounds.confidenceAfter(seen.size))
            }
            tell("within $within, %.1f blocks".format(Locale.ROOT, all / DRAWS.toDouble()), hits)
            (hits / DRAWS.toDouble()).shouldBeBetween(0.93, 0.97, 0.0)
        }
    }

    /** The share of slices that differ is no share of runs that do: the unit matters. */
    @Test
    fun `intervals over rounds as if they were independent would hold it less often`() {
        val random = fastRandom(7)
        val hits = (1..DRAWS).count {
            val rounds = List(3) { drawn(random) }.flatten()
            1.0 in typicalInterval(rounds.map(Math::exp))!!
        }
        tell("rounds as units", hits)
        hits / DRAWS.toDouble() shouldBeLessThan 0.92
    }

    private fun isEnough(seen: PairedRatio, blocks: Int, bounds: SequentialBounds, within: Double): Boolean =
        seen.halfWidth(bounds.confidenceAfter(blocks)) <= within ||
            1.0 !in seen.interval(bounds.confidenceToTell(blocks))

    private fun drawn(random: RandomGenerator) = blocks[random.nextInt(blocks.size)]

    private fun tell(what: String, hits: Int) =
        println("coverage %5.2f %%  recorded, %s".format(Locale.ROOT, 100.0 * hits / DRAWS, what))

    private companion object {
        const val DRAWS = 4_000
        const val MAX_BLOCKS = 12
    }
}
