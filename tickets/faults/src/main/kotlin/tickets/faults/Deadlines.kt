package threadgauge.tickets.faults

import java.util.concurrent.Future
import java.util.concurrent.TimeUnit

/** Looks until [look] sees something; a machine that does much else takes its time. */
internal fun <T : Any> await(what: String, look: () -> T?): T {
    val end = System.nanoTime() + TimeUnit.MINUTES.toNanos(MAX_WAIT_MINUTES)
    while (true) {
        look()?.let { return it }
        check(System.nanoTime() < end) { "$MAX_WAIT_MINUTES minutes went by without $what" }
        Thread.sleep(POLL_MILLIS)
    }
}

/** Waits for as long as [await] looks. */
internal fun <T> Future<T>.await(): T = get(MAX_WAIT_MINUTES, TimeUnit.MINUTES)

/** Many times what anything here takes. Nothing is measured by it: it only ends what would never end. */
internal const val MAX_WAIT_MINUTES = 5L

private const val POLL_MILLIS = 20L
