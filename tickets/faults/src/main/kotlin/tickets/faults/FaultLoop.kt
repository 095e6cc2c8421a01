package threadgauge.tickets.faults

import java.util.Random
import java.util.concurrent.locks.ReentrantLock
import kotlin.concurrent.withLock

/** What can befall a sale. Belongs to one thread at a time. */
internal interface Faults {
    /** Injects one fault and returns what happened, in words that are counted; null if nothing could happen now. */
    fun inject(): String?

    /** Returns when everything that faults befall is ready again. */
    fun awaitReady()
}

/**
 * Injects [faults] one after the other, with a pause of a [random] length within [pauseMillis] between two, from its
 * construction until it is closed.
 */
internal class FaultLoop(
    private val faults: Faults,
    private val random: Random,
    private val pauseMillis: LongRange,
) : AutoCloseable {
    private val lock = ReentrantLock()
    private val counts = LinkedHashMap<String, Int>()

    @Volatile
    private var isOver = false

    /** See [FaultySale.failure]. */
    @Volatile
    var failure: Exception? = null
        private set

    private val thread = Thread.ofPlatform().name("faults").start {
        try {
            while (!isOver) {
                Thread.sleep(random.nextLong(pauseMillis.first, pauseMillis.last))
                lock.withLock { if (!isOver) faults.inject()?.let { counts.merge(it, 1, Int::plus) } }
            }
        } catch (broken: Exception) {
            failure = broken
        }
    }

    /** Number of faults so far, by what happened. */
    val done: Map<String, Int> get() = lock.withLock { counts.toMap() }

    /** See [FaultySale.withoutFaults]. */
    fun <T> withoutFaults(block: () -> T): T = lock.withLock {
        failure?.let { throw it }
        faults.awaitReady()
        block()
    }

    override fun close() {
        isOver = true
        thread.join()
    }
}

/** Words of faults that befall services of either kind. */
internal const val KILLED_SERVICES = "services killed"
internal const val KILLED_DATABASES = "databases killed"

/** Number of processes that were killed, of faults counted by what happened. */
internal fun killsOf(done: Map<String, Int>): Int = done.filterKeys { "killed" in it }.values.sum()
