package threadgauge.tickets.sale

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.async
import kotlinx.coroutines.withTimeoutOrNull
import threadgauge.tickets.rules.Ending
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.Reservation
import java.util.UUID
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * A [desk] that any number of callers may come to: so many are served at a time, more wait, and who is too many is told so with [DeskBusy].
 * Who waits for longer than [DeskSettings.patience] for his turn gets that as well; who waits for longer when his turn has come gets
 * [DeskSilent], and nobody knows whether it was done. So nobody waits for longer than twice the patience.
 * Who ends a hold does not wait behind those who look, however many these are.
 *
 * Looks at events are shared: all who ask for the same one while it is being looked at have their answer from the next look.
 * Calls work in [scope], and go on there when whoever waited has gone.
 */
class PatientDesk(private val desk: Desk, private val scope: CoroutineScope, private val settings: DeskSettings = DeskSettings()) : Desk {
    private val looking = Turns(settings.atOnce, settings.waitMost, settings.patience)
    private val changing = Turns(settings.atOnce, settings.waitMost, settings.patience)
    private val events = SharedLooks { id: EventId -> inTurn(looking) { desk.event(id) } }
    private val newest = SharedLooks { most: Int -> inTurn(looking) { desk.newest(most) } }

    override suspend fun open(name: String, capacity: Int, hold: Duration) = inTurn(changing) { desk.open(name, capacity, hold) }

    override suspend fun newest(most: Int): List<Event> = shared { newest.look(most) }

    override suspend fun event(id: EventId): Event? = shared { events.look(id) }

    override suspend fun exists(id: EventId): Boolean = inTurn(looking) { desk.exists(id) }

    override suspend fun reservation(id: UUID): Reservation? = inTurn(looking) { desk.reservation(id) }

    override suspend fun confirm(id: UUID): Ending? = inTurn(changing) { desk.confirm(id) }

    override suspend fun release(id: UUID): Ending? = inTurn(changing) { desk.release(id) }

    private suspend fun <T> inTurn(turns: Turns, call: suspend () -> T): T {
        if (!turns.take()) throw DeskBusy(settings.retryAfter)
        // Not broken off: it has a connection, and keeps its turn for as long.
        val done = scope.async { Done(call()) }
        done.invokeOnCompletion { turns.giveBack() }
        return (withTimeoutOrNull(settings.patience) { done.await() } ?: throw DeskSilent()).value
    }

    /** Who waits for the look of another, and then for his own, waits no longer than anybody else. */
    private suspend fun <T> shared(look: suspend () -> T): T =
        (withTimeoutOrNull(settings.patience * 2) { Done(look()) } ?: throw DeskSilent()).value

    private class Done<T>(val value: T)
}

/** Bounds of a [PatientDesk]. */
data class DeskSettings(
    /** Looks under way at a time, and as many changes; more than there are connections to the books only wait elsewhere. */
    val atOnce: Int = 2,
    /** Looks that may wait for their turn, and as many changes. */
    val waitMost: Int = 10_000,
    /** How long one may wait for its turn, and how long for its end when its turn has come. */
    val patience: Duration = 5.seconds,
    val retryAfter: Duration = 1.seconds,
) {
    init {
        require(atOnce > 0 && waitMost >= 0) { "nobody could be served with $this" }
    }
}

/** Nothing was done, because too many wait already; come back after [retryAfter]. */
class DeskBusy(val retryAfter: Duration) : RuntimeException("too many wait at the desk", null, false, false)

/** The books do not come to an end, so nobody knows whether it was done. */
class DeskSilent : RuntimeException("the books do not answer", null, false, false)
