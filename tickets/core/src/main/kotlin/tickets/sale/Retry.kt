package threadgauge.tickets.sale

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.async
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.withTimeoutOrNull
import kotlin.coroutines.cancellation.CancellationException
import kotlin.time.Duration
import kotlin.time.TimeSource

/**
 * How long something that fails, or does not come to an end, is waited for: for [timeout]. What fails is tried again, after a [initialBackoff]
 * that doubles from one try to the next. What hangs is left to itself in [scope], because a driver that waits for its database cannot be
 * broken off without giving up its connection; whoever waits for it is free all the same.
 */
internal class Retry(
    private val timeout: Duration,
    private val initialBackoff: Duration,
    private val scope: CoroutineScope,
    private val clock: TimeSource,
) {
    /**
     * Null where [call] fails or takes for longer than that. [onFailure] is told of every failure. Whoever is cancelled tries no more.
     * [onEnd] is called once nothing of it goes on any more, which may be long after this has returned.
     */
    suspend fun <T : Any> execute(onFailure: (Exception) -> Unit, onEnd: () -> Unit = {}, call: suspend () -> T): T? {
        val tries = scope.async { tries(onFailure, call) }
        tries.invokeOnCompletion { onEnd() }
        return try {
            withTimeoutOrNull(timeout) { tries.await() }
        } catch (brokenOff: CancellationException) {
            currentCoroutineContext().ensureActive()
            null
        } finally {
            tries.cancel()
        }
    }

    private suspend fun <T : Any> tries(onFailure: (Exception) -> Unit, call: suspend () -> T): T? {
        val began = clock.markNow()
        var pause = initialBackoff
        while (true) {
            try {
                return call()
            } catch (failed: Throwable) {
                currentCoroutineContext().ensureActive()
                // Also an error, such as too deep a recursion: it must not end whoever serves all the others.
                onFailure(failed as? Exception ?: RuntimeException(failed))
            }
            val left = timeout - began.elapsedNow()
            if (!left.isPositive()) return null
            delay(minOf(pause, left))
            pause *= 2
        }
    }
}
