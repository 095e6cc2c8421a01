package threadgauge.map

import java.util.SplittableRandom
import kotlin.math.exp
import threadgauge.judge.recordOf
import threadgauge.model.Counts
import threadgauge.model.Record
import threadgauge.model.plan.MapQuestion
import threadgauge.model.plan.MapSheet
import threadgauge.model.plan.Slice
import threadgauge.model.plan.SliceLatency

/** Waits of 1 to 250 ms, 10 to 5,000 users, and the first look of the command. */
internal val WAITS = MapQuestion(
    MapSheet.WAIT,
    work = listOf(1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 25, 32, 40, 50, 63, 79, 100, 126, 158, 200, 250),
    users = listOf(
        10, 13, 16, 20, 25, 32, 40, 50, 63, 79, 100, 126, 158, 200, 251, 316, 398, 501, 631, 794, 1_000, 1_259, 1_585,
        1_995, 2_512, 3_162, 3_981, 5_000,
    ),
    columnStride = 5, rowStride = 6, budgetNanos = 1_800_000_000_000,
)

/**
 * The record of a map whose stacks keep the law exactly, but for [noise] of each slice, as a share. [most] places are
 * measured at most, in three rounds each time.
 */
internal fun exploredMap(
    stacks: Map<String, StackNumbers>,
    noise: Double,
    seed: Long,
    question: MapQuestion = WAITS,
    most: Int = 400,
): Record {
    val random = SplittableRandom(seed)
    val slices = stacks.mapValues { ArrayList<Slice>() }
    val base = recordOf(stacks.mapValues { listOf(1.0) }, limits = mapOf("pool" to 200), path = "/delay/1")
    fun record(): Record {
        val trials = base.trials.map { it.copy(samples = emptyList(), slices = slices.getValue(it.stack).toList()) }
        return base.copy(trials = trials, plan = base.plan.copy(map = question))
    }
    var measured = 0
    while (measured < most) {
        val next = nextPlaces(question, placesFound(question, record().trials)).take(8)
        if (next.isEmpty()) break
        measured += next.size
        for (place in next) repeat(3) {
            for ((stack, numbers) in stacks) {
                val its = slices.getValue(stack)
                val name = question.nameOf(place.column, place.row)
                val factor = exp(noise * random.nextGaussian())
                its += sliceOf(question, place, numbers, factor, round = 1 + its.count { it.situation == name })
            }
        }
    }
    return record()
}

internal fun sliceOf(question: MapQuestion, at: Place, numbers: StackNumbers, factor: Double, round: Int): Slice {
    val users = question.users[at.row].toDouble()
    val wait = question.waitMillis(at.column) / 1e3
    val answered = (numbers.perSecond(users, wait) * factor * 1e3).toLong()
    val latency = numbers.latencySeconds(users, wait) * 1e6
    return Slice(
        question.nameOf(at.column, at.row), round, atMillis = 0.0, windowMillis = 1e6,
        Counts(answered, answered, answered, 0, 0), answered, SliceLatency(latency, latency, 2 * latency), 1.0,
        cpuMillis = answered * numbers.cpuSeconds * 1e3, rssBytesMax = 200_000_000 + 4_000 * users.toLong(),
    )
}

/** 200 handlers. */
internal val POOL = StackNumbers(cpuSeconds = 1.05e-4, aloneSeconds = 6e-4, places = 200.0)
internal val LOOP = StackNumbers(cpuSeconds = 1e-4, aloneSeconds = 5e-4)

/** Nothing bounds it, but each request costs twice as much. */
internal val DEAR = StackNumbers(cpuSeconds = 2e-4, aloneSeconds = 5e-4)
