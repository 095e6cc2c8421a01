package threadgauge.tickets.faults

import java.util.concurrent.Future
import java.util.concurrent.TimeUnit

/** Polls until [poll] returns a value, for at most [MAX_WAIT_MINUTES]. Fails with [what] was missing. */
internal fun <T : Any> await(what: String, poll: () -> T?): T {
    val end = System.nanoTime() + TimeUnit.MINUTES.toNanos(MAX_WAIT_MINUTES)
    while (true) {
        poll()?.let { return it }
        check(System.nanoTime() < end) { "waited $MAX_WAIT_MINUTES minutes for $what" }
        Thread.sleep(POLL_MILLIS)
    }
}

/** Waits for at most [MAX_WAIT_MINUTES]. */
internal fun <T> Future<T>.await(): T = get(MAX_WAIT_MINUTES, TimeUnit.MINUTES)

/** Far longer than anything here takes, on any machine. It only ends what would never end. */
internal const val MAX_WAIT_MINUTES = 5L

private const val POLL_MILLIS = 20L
