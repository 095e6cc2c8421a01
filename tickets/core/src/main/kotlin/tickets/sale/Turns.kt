package threadgauge.tickets.sale

import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.update
import kotlinx.coroutines.flow.updateAndGet
import kotlinx.coroutines.sync.Semaphore
import kotlinx.coroutines.withTimeoutOrNull
import kotlin.time.Duration

/**
 * Room for [atOnce] at a time. Up to [waitMost] more wait in the order in which they came, each for no longer than [patience]. Any number
 * of threads may call.
 */
internal class Turns(private val atOnce: Int, private val waitMost: Int, private val patience: Duration) {
    /** Permits are given in the order of asking. */
    private val room = Semaphore(atOnce)

    /** Who waits and who has a turn. */
    private val present = MutableStateFlow(0)

    /** Who has no turn yet. */
    val waiting: Int get() = (present.value - atOnce).coerceAtLeast(0)

    /** False where too many wait already, or where it took too long. Who has a turn must give it back. */
    suspend fun take(): Boolean {
        val ahead = present.updateAndGet { it + 1 } - 1
        var isIn = false
        try {
            // A permit that comes at the last moment is noted before anything can break off.
            if (ahead < atOnce + waitMost) withTimeoutOrNull(patience) {
                room.acquire()
                isIn = true
            }
        } catch (brokenOff: Throwable) {
            if (isIn) room.release()
            isIn = false
            throw brokenOff
        } finally {
            if (!isIn) present.update { it - 1 }
        }
        return isIn
    }

    /** Ends a turn. Need not be called by whoever took it. */
    fun giveBack() {
        room.release()
        present.update { it - 1 }
    }

    /** Returns when nobody waits, and nobody has a turn. */
    suspend fun awaitNobody() {
        present.first { it == 0 }
    }
}
