package threadgauge.tickets.single

import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.updateAndGet
import kotlinx.coroutines.sync.Semaphore
import kotlinx.coroutines.withTimeoutOrNull
import threadgauge.tickets.batch.BatchWatcher
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.Ask
import threadgauge.tickets.sale.Patience
import threadgauge.tickets.sale.Strategy
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/**
 * Every ask by itself, in a transaction of its own: what a service does that nobody has thought much about. As many as
 * [SingleSettings.atOnce] are in [way] at a time, more wait in the order in which they came, and what is too many is told to come back.
 *
 * [way] may fail with an exception; then it is tried again, so it must be safe to do twice with the same key.
 */
class SingleStrategy(
    private val settings: SingleSettings,
    private val watcher: BatchWatcher = BatchWatcher.None,
    private val clock: TimeSource = TimeSource.Monotonic,
    private val way: suspend (Ask) -> Answer,
) : Strategy {
    /** Permits are given in the order of asking. */
    private val room = Semaphore(settings.atOnce)
    private val present = MutableStateFlow(0)
    private val patience = Patience(settings.patience, settings.firstPause, clock)

    @Volatile
    private var isDraining = false

    override suspend fun reserve(ask: Ask): Answer {
        val ahead = present.updateAndGet { it + 1 } - 1
        try {
            if (isDraining || ahead >= settings.queueMost + settings.atOnce || !enter()) return busy(ask)
            try {
                return sold(ask)
            } finally {
                room.release()
            }
        } finally {
            present.updateAndGet { it - 1 }
        }
    }

    override suspend fun drain() {
        isDraining = true
        present.first { it == 0 }
    }

    /** False where it took too long. A permit that comes at the last moment is noted before anything can break off. */
    private suspend fun enter(): Boolean {
        var isIn = false
        withTimeoutOrNull(settings.patience) {
            room.acquire()
            isIn = true
        }
        return isIn
    }

    private suspend fun sold(ask: Ask): Answer {
        val began = clock.markNow()
        val answer = patience.with({ watcher.failed(ask.event, it) }) { way(ask) } ?: Answer.Unknown
        watcher.granted(ask.event, 1, began.elapsedNow(), present.value)
        return answer
    }

    private fun busy(ask: Ask): Answer {
        watcher.refused(ask.event)
        return Answer.Busy(settings.retryAfter)
    }
}

/** Bounds of a [SingleStrategy]. */
data class SingleSettings(
    /** Asks under way at a time; more than there are connections to the books only wait elsewhere. */
    val atOnce: Int = 8,
    /** Asks that may wait for their turn. */
    val queueMost: Int = 10_000,
    /** How long one may wait for its turn, and how long it is tried when its turn has come. */
    val patience: Duration = 5.seconds,
    val firstPause: Duration = 20.milliseconds,
    val retryAfter: Duration = 1.seconds,
) {
    init {
        require(queueMost > 0 && atOnce > 0) { "nothing could be sold with $this" }
    }
}
