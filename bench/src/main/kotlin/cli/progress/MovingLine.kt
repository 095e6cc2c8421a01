package threadgauge.cli.progress

import com.github.ajalt.mordant.animation.textAnimation
import com.github.ajalt.mordant.rendering.TextStyles.dim
import com.github.ajalt.mordant.terminal.Terminal
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * The last line of a terminal: the current step, and the estimated time left in total. Removed when closed.
 */
internal class MovingLine(terminal: Terminal) : AutoCloseable {
    private val line = terminal.textAnimation<String> { it }
    private var endsNanos = 0L

    fun endsIn(left: Duration) {
        endsNanos = System.nanoTime() + left.inWholeNanoseconds
    }

    fun say(now: String) {
        val left = ((endsNanos - System.nanoTime()) / 1_000_000_000).coerceAtLeast(1).seconds
        line.update(dim("  $now · about ${short(left)} left"))
    }

    override fun close() = line.clear()
}

/** In seconds below 90 s, then in minutes. */
internal fun short(duration: Duration) =
    duration.inWholeSeconds.let { if (it < 90) "$it s" else "${(it + 30) / 60} min" }
