package threadgauge.tickets.single

import kotlinx.coroutines.CoroutineScope
import threadgauge.tickets.batch.BatchWatcher
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.Ask
import threadgauge.tickets.sale.Patience
import threadgauge.tickets.sale.Strategy
import threadgauge.tickets.sale.Turns
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/**
 * Every ask by itself, in a transaction of its own: what a service does that nobody has thought much about. As many as
 * [SingleSettings.atOnce] are in [way] at a time, more wait in the order in which they came, and what is too many is told to come back.
 *
 * [way] works in [scope], and may fail with an exception; then it is tried again, so it must be safe to do twice with the same key. One
 * that hangs keeps its room until it ends, because it has a connection for as long.
 */
class SingleStrategy(
    private val settings: SingleSettings,
    scope: CoroutineScope,
    private val watcher: BatchWatcher = BatchWatcher.None,
    private val clock: TimeSource = TimeSource.Monotonic,
    private val way: suspend (Ask) -> Answer,
) : Strategy {
    private val turns = Turns(settings.atOnce, settings.queueMost, settings.patience)
    private val patience = Patience(settings.patience, settings.firstPause, scope, clock)

    @Volatile
    private var isDraining = false

    override val waiting: Int get() = turns.waiting

    override suspend fun reserve(ask: Ask): Answer {
        if (isDraining || !turns.take()) {
            watcher.refused(ask.event)
            return Answer.Busy(settings.retryAfter)
        }
        val began = clock.markNow()
        val answer = patience.with({ watcher.failed(ask.event, it) }, onEnd = turns::giveBack) { way(ask) } ?: return Answer.Unknown
        watcher.granted(ask.event, 1, began.elapsedNow())
        return answer
    }

    override suspend fun drain() {
        isDraining = true
        turns.awaitNobody()
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
