package threadgauge.judge.cause

import threadgauge.model.judgement.cause.Holder
import threadgauge.model.judgement.cause.TimeKind
import threadgauge.model.profile.Frame

/**
 * The pool of a client that does not block. No thread waits for a connection of it, but samples show what it runs: a
 * connection that is returned is handed over at once to a request that has waited for it, or a request is queued. Null
 * where requests do not mostly wait without a thread, and where neither was seen.
 */
internal fun clientPool(view: ProfileView, split: TimeSplit): Holder.ConnectionPool? {
    // Beside a busy processor nothing is said to wait without a thread, unless it is seen to wait in the client.
    val kinds = setOf(TimeKind.ASYNCHRONOUS, TimeKind.UNACCOUNTED.takeIf { view.isProcessorBusy })
    val waits = split.micros { it.kind in kinds } / view.profile.meanMicros
    if (waits < CauseThresholds.LATENCY_SHARE) return null
    return CLIENTS.firstOrNull { it.isExhausted(view) }
        ?.let { Holder.ConnectionPool(it.name, max = null, waiting = null, place = null, latencyShare = null) }
}

/**
 * A client by its [name], with its usual limit of connections. [queued]: a trace shows that a request waits for a
 * connection. [isFree]: it shows that a request gets one at once.
 */
private class ClientPool(
    val name: String,
    private val usualMax: Int,
    private val queued: (List<Frame>) -> Boolean,
    private val isFree: (List<Frame>) -> Boolean = { false },
) {
    fun isExhausted(view: ProfileView): Boolean {
        val waiting = samples(view, queued)
        val isEnough = waiting >= CauseThresholds.CLIENT_SAMPLES || waiting > 0 && view.inFlight > usualMax
        return isEnough && waiting >= samples(view, isFree)
    }

    private fun samples(view: ProfileView, isSuch: (List<Frame>) -> Boolean) = view.profile.running
        .filter { sample -> view.profile.traceOf(sample.trace)?.let { isSuch(it.frames) } == true }
        .sumOf { it.samples }
}

private fun List<Frame>.has(type: String, vararg methods: String) =
    any { type in it.type && methods.any { method -> method in it.method } }

/** Reactor Netty's pool delivers a connection while another request returns it, or while one asks for it. */
private fun List<Frame>.delivers() = has("reactor.pool.AbstractPool\$Borrower", "deliver")

private val CLIENTS = listOf(
    ClientPool(
        name = "Reactor Netty", usualMax = 500,
        queued = { it.delivers() && it.has("reactor.pool.SimpleDequePool", "maybeRecycleAndDrain") },
        isFree = { it.delivers() && it.has("reactor.pool.SimpleDequePool", "doAcquire") },
    ),
    ClientPool(
        name = "Ktor", usualMax = 100,
        queued = { frames ->
            frames.has("kotlinx.coroutines.sync.Semaphore", "acquireSlowPath", "tryResumeNextFromQueue") &&
                frames.has("io.ktor.client", "")
        },
    ),
)
