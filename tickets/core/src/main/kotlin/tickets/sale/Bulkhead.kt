package threadgauge.tickets.sale

import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.update
import kotlinx.coroutines.flow.updateAndGet
import kotlinx.coroutines.sync.Semaphore
import kotlinx.coroutines.withTimeoutOrNull
import kotlin.time.Duration

/**
 * Room for [maxConcurrent] at a time. Up to [maxQueued] more wait in the order in which they came, each for no longer than [timeout]. Any number
 * of threads may call.
 */
internal class Bulkhead(private val maxConcurrent: Int, private val maxQueued: Int, private val timeout: Duration) {
    /** Permits are given in the order of asking. */
    private val permits = Semaphore(maxConcurrent)

    /** Who waits and who has a turn. */
    private val present = MutableStateFlow(0)

    /** Who has no turn yet. */
    val waiting: Int get() = (present.value - maxConcurrent).coerceAtLeast(0)

    /** False where too many wait already, or where it took too long. Who has a turn must give it back. */
    suspend fun tryAcquire(): Boolean {
        val before = present.updateAndGet { it + 1 } - 1
        var isAcquired = false
        try {
            // A permit that comes at the last moment is noted before anything can break off.
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

    /** Ends a turn. Need not be called by whoever took it. */
    fun release() {
        permits.release()
        present.update { it - 1 }
    }

    /** Returns when nobody waits, and nobody has a turn. */
    suspend fun awaitIdle() {
        present.first { it == 0 }
    }
}
