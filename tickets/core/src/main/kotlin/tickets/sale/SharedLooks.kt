package threadgauge.tickets.sale

import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock
import java.util.concurrent.atomic.AtomicLong
import kotlin.coroutines.cancellation.CancellationException

/**
 * Looks that are shared by all who ask for the same while one is under way: each of them gets what was seen by a look that began after he
 * asked, so nobody is told less than he knows already. However many ask, one look for a key is under way at a time, and one more for all
 * who came meanwhile. They share a failure as well: whoever would look once more for himself would keep the others waiting.
 * Any number of threads may call.
 */
internal class SharedLooks<K : Any, V>(private val read: suspend (K) -> V) {
    /** Moments are numbers here: each is larger than all before it. */
    private val moments = AtomicLong()

    /** Keys that fall into the same place wait for each other, and there is no more to remember than this. */
    private val places = Array(PLACES) { Place<K, V>() }

    suspend fun look(key: K): V {
        val asked = moments.incrementAndGet()
        val place = places[Math.floorMod(key.hashCode(), PLACES)]
        return place.lock.withLock {
            val seen = place.last?.takeIf { it.key == key && it.began > asked }
            seen ?: seeNow(key).also { place.last = it }
        }.value.getOrThrow()
    }

    private suspend fun seeNow(key: K): Seen<K, V> {
        val began = moments.incrementAndGet()
        val value = try {
            Result.success(read(key))
        } catch (gone: CancellationException) {
            throw gone
        } catch (failed: Exception) {
            Result.failure(failed)
        }
        return Seen(key, began, value)
    }

    /** [last] is guarded by [lock]. */
    private class Place<K, V> {
        val lock = Mutex()
        var last: Seen<K, V>? = null
    }

    private class Seen<K, V>(val key: K, val began: Long, val value: Result<V>)

    private companion object {
        const val PLACES = 64
    }
}
