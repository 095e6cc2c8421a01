package threadgauge.judge.cause

import threadgauge.model.judgement.cause.Holder
import threadgauge.model.judgement.cause.TimeKind
import threadgauge.model.profile.Frame
import threadgauge.model.profile.PoolKind

/**
 * The pool of a client that does not block. No thread waits for a connection of it, but it shows otherwise: as many
 * connections as it opens by default are open to one address while more requests are in flight, or samples show that a
 * connection that is returned is handed over at once to a request that has waited for it, or that a request is queued.
 * Null where requests do not mostly wait without a thread, and where none of this was seen.
 */
internal fun clientPool(view: ProfileView, split: TimeSplit): Holder.ConnectionPool? {
    // Beside a busy processor nothing is said to wait without a thread, unless it is seen to wait in the client.
    val kinds = setOf(TimeKind.ASYNCHRONOUS, TimeKind.UNACCOUNTED.takeIf { view.isProcessorBusy })
    val waits = split.micros { it.kind in kinds } / view.profile.meanMicros
    if (waits < CauseThresholds.LATENCY_SHARE) return null
    return CLIENTS.firstNotNullOfOrNull { client ->
        val max = client.usualMax.takeIf { client.hasOpenedAll(view) }
        // Whoever is in flight and has no connection waits for one (Little's law for both).
        val share = max?.let { 1 - it / view.inFlight }
        Holder.ConnectionPool(client.name, max, waiting = null, place = null, latencyShare = share)
            .takeIf { max != null || client.isExhausted(view) }
    }
}

/**
 * A client by its [name], with its usual limit of connections to one address and the [types] of its code. [queued]: a
 * trace shows that a request waits for a connection. [isFree]: it shows that a request gets one at once.
 */
private class ClientPool(
    val name: String,
    val usualMax: Int,
    private val types: String,
    private val queued: (List<Frame>) -> Boolean,
    private val isFree: (List<Frame>) -> Boolean = { false },
) {
    fun isExhausted(view: ProfileView): Boolean {
        val waiting = samples(view, queued)
        val isEnough = waiting >= CauseThresholds.CLIENT_SAMPLES || waiting > 0 && view.inFlight > usualMax
        return isEnough && waiting >= samples(view, isFree)
    }

    /** One that keeps its connections has opened all of them where it was ever short of one. */
    fun hasOpenedAll(view: ProfileView): Boolean =
        view.inFlight >= CauseThresholds.QUEUED * usualMax &&
            view.profile.pools.any { it.kind == PoolKind.OUTGOING && it.busy / usualMax in ALL_OPEN } &&
            view.profile.traces.any { trace -> trace.frames.has(types, "") }

    private fun samples(view: ProfileView, isSuch: (List<Frame>) -> Boolean) = view.profile.running
        .filter { sample -> view.profile.traceOf(sample.trace)?.let { isSuch(it.frames) } == true }
        .sumOf { it.samples }
}

/** Connections ÷ the limit: one that was closed is opened again, and may be counted twice meanwhile. */
private val ALL_OPEN = CauseThresholds.GROWN..1.01

private fun List<Frame>.has(type: String, vararg methods: String) =
    any { type in it.type && methods.any { method -> method in it.method } }

/** Reactor Netty's pool delivers a connection while another request returns it, or while one asks for it. */
private fun List<Frame>.delivers() = has("reactor.pool.AbstractPool\$Borrower", "deliver")

/**
 * With the limits that they have unless they are told otherwise: of Reactor Netty for a client that is made without a
 * provider of connections (its reference, "Connection Pool"), of Ktor's CIO `EndpointConfig.maxConnectionsPerRoute`.
 */
private val CLIENTS = listOf(
    ClientPool(
        name = "Reactor Netty", usualMax = 500, types = "reactor.netty.http.client.",
        queued = { it.delivers() && it.has("reactor.pool.SimpleDequePool", "maybeRecycleAndDrain") },
        isFree = { it.delivers() && it.has("reactor.pool.SimpleDequePool", "doAcquire") },
    ),
    ClientPool(
        name = "Ktor", usualMax = 100, types = "io.ktor.client.",
        queued = { frames ->
            frames.has("kotlinx.coroutines.sync.Semaphore", "acquireSlowPath", "tryResumeNextFromQueue") &&
                frames.has("io.ktor.client", "")
        },
    ),
)
