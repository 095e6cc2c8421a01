package threadgauge.tickets.sale

import kotlin.time.Duration
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.update
import kotlinx.coroutines.flow.updateAndGet
import kotlinx.coroutines.sync.Semaphore
import kotlinx.coroutines.withTimeoutOrNull

/**
 * Limits concurrent calls to [maxConcurrent]. Up to [maxQueued] more wait for a permit, first come, first served, each
 * for at most [timeout]. Thread-safe.
 */
internal class Bulkhead(private val maxConcurrent: Int, private val maxQueued: Int, private val timeout: Duration) {
    /** Fair: permits are granted in the order of the calls. */
    private val permits = Semaphore(maxConcurrent)

    /** Calls that hold a permit or wait for one. */
    private val present = MutableStateFlow(0)

    /** Calls that wait for a permit. */
    val waiting: Int get() = (present.value - maxConcurrent).coerceAtLeast(0)

    /** False if the queue is full or [timeout] has passed. After true, [release] must be called once. */
    suspend fun tryAcquire(): Boolean {
        val before = present.updateAndGet { it + 1 } - 1
        var isAcquired = false
        try {
            // A permit that arrives just before the timeout is recorded before the coroutine can be cancelled.
            if (before < maxConcurrent + maxQueued) withTimeoutOrNull(timeout) {
                permits.acquire()
                isAcquired = true
            }
        } catch (cancelled: Throwable) {
            if (isAcquired) permits.release()
            isAcquired = false
            throw cancelled
        } finally {
            if (!isAcquired) present.update { it - 1 }
        }
        return isAcquired
    }

    /** Returns a permit. Any thread may call it, not only the one that acquired the permit. */
    fun release() {
        permits.release()
        present.update { it - 1 }
    }

    /** Returns when no call holds a permit or waits for one. */
    suspend fun awaitIdle() {
        present.first { it == 0 }
    }
}
