package threadgauge.tickets.sale

import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicLong
import kotlin.coroutines.cancellation.CancellationException
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock

/**
 * Shares loads of the same key among concurrent callers. At most one [load] per key runs at a time, and all callers
 * that arrive meanwhile share the next one.
 *
 * A caller only gets the result of a load that began after its own call. So it never sees older data than it already
 * knows. Failures are shared as well, because a retry of each caller would delay the others. Nothing is cached once the
 * last caller of a key has left. Thread-safe.
 */
class SingleFlight<K : Any, V>(private val load: suspend (K) -> V) {
    /** Logical clock: each reading is larger than all before. */
    private val clock = AtomicLong()
    private val flights = ConcurrentHashMap<K, Flight<V>>()

    suspend fun get(key: K): V {
        val calledAt = clock.incrementAndGet()
        val flight = flights.compute(key) { _, existing -> (existing ?: Flight()).also { it.callers++ } }!!
        try {
            return flight.lock.withLock {
                flight.last?.takeIf { it.beganAt > calledAt } ?: run(key).also { flight.last = it }
            }.value.getOrThrow()
        } finally {
            flights.compute(key) { _, existing -> existing?.takeIf { --it.callers > 0 } }
        }
    }

    private suspend fun run(key: K): Completed<V> {
        val beganAt = clock.incrementAndGet()
        val value = try {
            Result.success(load(key))
        } catch (cancelled: CancellationException) {
            throw cancelled
        } catch (failed: Throwable) {
            Result.failure(failed)
        }
        return Completed(beganAt, value)
    }

    private class Flight<V> {
        val lock = Mutex()

        /** Guarded by [lock]. */
        var last: Completed<V>? = null

        /** Callers that wait or load. Guarded by the map. */
        var callers = 0
    }

    private class Completed<V>(val beganAt: Long, val value: Result<V>)
}
