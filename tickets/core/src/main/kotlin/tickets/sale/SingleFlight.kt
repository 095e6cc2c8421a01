package threadgauge.tickets.sale

import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicLong
import kotlin.coroutines.cancellation.CancellationException

/**
 * Looks that are shared by all who ask for the same while one is under way: each of them gets what was seen by a look that began after he
 * asked, so nobody is told less than he knows already. However many ask, one look for a key is under way at a time, and one more for all
 * who came meanwhile. They share a failure as well: whoever would look once more for himself would keep the others waiting.
 * Nothing is kept of a key for which nobody asks. Any number of threads may call.
 */
class SingleFlight<K : Any, V>(private val load: suspend (K) -> V) {
    /** Moments are numbers here: each is larger than all before it. */
    private val clock = AtomicLong()
    private val flights = ConcurrentHashMap<K, Flight<V>>()

    suspend fun get(key: K): V {
        val asked = clock.incrementAndGet()
        val flight = flights.compute(key) { _, existing -> (existing ?: Flight()).also { it.waiters++ } }!!
        try {
            return flight.lock.withLock {
                flight.last?.takeIf { it.startedAt > asked } ?: run(key).also { flight.last = it }
            }.value.getOrThrow()
        } finally {
            flights.compute(key) { _, existing -> existing?.takeIf { --it.waiters > 0 } }
        }
    }

    private suspend fun run(key: K): Completed<V> {
        val startedAt = clock.incrementAndGet()
        val value = try {
            Result.success(load(key))
        } catch (cancelled: CancellationException) {
            throw cancelled
        } catch (failed: Throwable) {
            Result.failure(failed)
        }
        return Completed(startedAt, value)
    }

    private class Flight<V> {
        val lock = Mutex()

        /** Guarded by [lock]. */
        var last: Completed<V>? = null

        /** Who waits or looks. Guarded by the map. */
        var waiters = 0
    }

    private class Completed<V>(val startedAt: Long, val value: Result<V>)
}
