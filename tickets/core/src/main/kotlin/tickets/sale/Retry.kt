package threadgauge.tickets.sale

import kotlin.coroutines.cancellation.CancellationException
import kotlin.time.Duration
import kotlin.time.TimeSource
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.async
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.withTimeoutOrNull

/**
 * Retries a call until [timeout] has passed since its start. The pause between attempts is [initialBackoff] at first
 * and doubles each time.
 *
 * A call that hangs is abandoned, not interrupted: a driver that waits for its database cannot be interrupted without
 * giving up its connection. It goes on in [scope], and the caller returns.
 */
internal class Retry(
    private val timeout: Duration,
    private val initialBackoff: Duration,
    private val scope: CoroutineScope,
    private val clock: TimeSource,
) {
    /**
     * The result of [call]; null if it failed or ran for longer than [timeout]. [onFailure] receives each failure. A
     * cancelled caller starts no further attempt. [onEnd] is called when the last attempt has ended, which may be long
     * after this function has returned.
     */
    suspend fun <T : Any> execute(onFailure: (Exception) -> Unit, onEnd: () -> Unit = {}, call: suspend () -> T): T? {
        val attempts = scope.async { attempts(onFailure, call) }
        attempts.invokeOnCompletion { onEnd() }
        return try {
            withTimeoutOrNull(timeout) { attempts.await() }
        } catch (cancelled: CancellationException) {
            currentCoroutineContext().ensureActive()
            null
        } finally {
            attempts.cancel()
        }
    }

    private suspend fun <T : Any> attempts(onFailure: (Exception) -> Unit, call: suspend () -> T): T? {
        val began = clock.markNow()
        var backoff = initialBackoff
        while (true) {
            try {
                return call()
            } catch (failed: Throwable) {
                currentCoroutineContext().ensureActive()
                // Errors too, such as a stack overflow: one bad call must not end the job that serves all others.
                onFailure(failed as? Exception ?: RuntimeException(failed))
            }
            val left = timeout - began.elapsedNow()
            if (!left.isPositive()) return null
            delay(minOf(backoff, left))
            backoff *= 2
        }
    }
}
