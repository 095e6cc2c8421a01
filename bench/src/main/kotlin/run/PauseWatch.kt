package threadgauge.run

import java.util.Timer
import kotlin.concurrent.schedule
import threadgauge.model.Pause

/**
 * Detects that this process stood still: the machine slept (the wall clock goes on, `System.nanoTime` does not), the
 * process was stopped, or its container was frozen. After [watch] it reads both clocks, [nanos] and [wallMillis], every
 * [LOOK_MILLIS]. A wall clock that is set forward looks like a sleep; that costs no more than one repeated measurement.
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

    /** Starts the timer. */
    fun watch() = apply { timer.schedule(LOOK_MILLIS, LOOK_MILLIS) { look() } }

    /** Forgets earlier pauses. */
    @Synchronized
    fun begin() {
        look()
        longest = 0
    }

    /**
     * The longest time since [begin] between two readings of the clocks, in nanoseconds, by whichever clock shows more.
     */
    @Synchronized
    fun longestNanos(): Long {
        look()
        return longest
    }

    /** Reads both clocks. */
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

/**
 * The measurement that a [Pause] disturbed: [trial] is the number of the block, or of the trial that is measured alone.
 */
internal class MeasuredPart(
    val trial: Int,
    val situation: String,
    val round: Int? = null,
    val stack: String? = null,
    /** Whether it can be measured again; the load of a sale is measured once only. */
    val isRepeatable: Boolean = true,
)

/**
 * Runs [work], and repeats it if the run stood still meanwhile, up to [MAX_ATTEMPTS] attempts in all. Returns the
 * result of the last attempt. Each pause is recorded.
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

/** Ten intervals of [PauseWatch]. A busy machine can keep a thread off its core for some tenths of a second. */
private const val MIN_PAUSE_NANOS = 1_000_000_000L

/** A machine that stands still again and again is not worth more attempts. */
private const val MAX_ATTEMPTS = 3
