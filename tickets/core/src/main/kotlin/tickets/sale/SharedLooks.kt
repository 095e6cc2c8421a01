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
class SharedLooks<K : Any, V>(private val read: suspend (K) -> V) {
    /** Moments are numbers here: each is larger than all before it. */
    private val moments = AtomicLong()
    private val places = ConcurrentHashMap<K, Place<V>>()

    suspend fun look(key: K): V {
        val asked = moments.incrementAndGet()
        val place = places.compute(key) { _, there -> (there ?: Place()).also { it.present++ } }!!
        try {
            return place.lock.withLock {
                place.last?.takeIf { it.began > asked } ?: seeNow(key).also { place.last = it }
            }.value.getOrThrow()
        } finally {
            places.compute(key) { _, there -> there?.takeIf { --it.present > 0 } }
        }
    }

    private suspend fun seeNow(key: K): Seen<V> {
        val began = moments.incrementAndGet()
        val value = try {
            Result.success(read(key))
        } catch (gone: CancellationException) {
            throw gone
        } catch (failed: Throwable) {
            Result.failure(failed)
        }
        return Seen(began, value)
    }

    private class Place<V> {
        val lock = Mutex()

        /** Guarded by [lock]. */
        var last: Seen<V>? = null

        /** Who waits or looks. Guarded by the map. */
        var present = 0
    }

    private class Seen<V>(val began: Long, val value: Result<V>)
}
