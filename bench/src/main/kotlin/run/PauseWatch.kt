package threadgauge.run

import java.util.Timer
import kotlin.concurrent.schedule
import threadgauge.model.Pause

/**
 * Notices when this process stood still: because the machine slept (then the clock on the wall goes on, and that of
 * `System.nanoTime` does not), or because it was stopped or its container frozen. It looks at both clocks every
 * [LOOK_MILLIS] once it is told to [watch]; [nanos] and [wallMillis] are those clocks. A clock on the wall that is put
 * forward looks like a sleep, and costs no more than a measurement anew.
 *
 * Safe for any thread.
 */
internal class PauseWatch(
    private val nanos: () -> Long = System::nanoTime,
    private val wallMillis: () -> Long = System::currentTimeMillis,
) : AutoCloseable {
    private var seenNanos = nanos() // guarded by this, as are the next two
    private var seenWallMillis = wallMillis()
    private var longest = 0L
    private val timer = Timer("pause-watch", true)

    fun watch() = apply { timer.schedule(LOOK_MILLIS, LOOK_MILLIS) { look() } }

    /** Forgets what was before. */
    @Synchronized
    fun begin() {
        look()
        longest = 0
    }

    /** The longest time since [begin] in which nobody looked, in nanoseconds. */
    @Synchronized
    fun longestNanos(): Long {
        look()
        return longest
    }

    @Synchronized
    fun look() {
        val now = nanos()
        val wall = wallMillis()
        longest = maxOf(longest, now - seenNanos, (wall - seenWallMillis) * 1_000_000)
        seenNanos = now
        seenWallMillis = wall
    }

    override fun close() = timer.cancel()

    private companion object {
        const val LOOK_MILLIS = 100L
    }
}

/** What is measured, for [Pause]. */
internal class MeasuredPart(
    val trial: Int,
    val situation: String,
    val round: Int? = null,
    val stack: String? = null,
    /** It can be measured once more without anybody noticing. */
    val isRepeatable: Boolean = true,
)

/**
 * Does [work], and does it once more, [MAX_ATTEMPTS] times at most, where the run stood still in its middle. Returns
 * what the last attempt returned; each pause is recorded.
 */
internal fun <T> RunContext.undisturbed(part: MeasuredPart, work: () -> T): T {
    var attempts = 0
    while (true) {
        pauses.begin()
        val result = work()
        val longest = pauses.longestNanos()
        if (longest < MIN_PAUSE_NANOS) return result
        val isMeasuredAnew = part.isRepeatable && ++attempts < MAX_ATTEMPTS
        val pause = Pause(
            writer.runMillis(System.nanoTime()), longest / 1e6, part.trial, part.situation, part.round,
            part.stack, isMeasuredAnew,
        )
        writer.paused(pause)
        tell(RunEvent.Paused(pause))
        if (!isMeasuredAnew) return result
    }
}

/** Ten looks. A busy machine keeps a thread from its core for some tenths of a second. */
private const val MIN_PAUSE_NANOS = 1_000_000_000L

/** A machine that stands still all the time is not worth more. */
private const val MAX_ATTEMPTS = 3
