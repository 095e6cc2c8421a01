package threadgauge.tickets.sale

import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.ensureActive
import kotlin.time.Duration
import kotlin.time.TimeSource

/** How long something that fails is tried again: for [inAll], after a [firstPause] that doubles from one try to the next. */
internal class Patience(private val inAll: Duration, private val firstPause: Duration, private val clock: TimeSource) {
    /** Null where [call] fails for longer than that. [onFailure] is told of every failure. Whoever is cancelled tries no more. */
    suspend fun <T : Any> with(onFailure: (Exception) -> Unit, call: suspend () -> T): T? {
        val began = clock.markNow()
        var pause = firstPause
        while (true) {
            try {
                return call()
            } catch (failed: Exception) {
                currentCoroutineContext().ensureActive()
                onFailure(failed)
            }
            val left = inAll - began.elapsedNow()
            if (!left.isPositive()) return null
            delay(minOf(pause, left))
            pause *= 2
        }
    }
}
