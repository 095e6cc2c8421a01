package threadgauge.probe

import java.nio.file.Path
import java.util.concurrent.Callable
import java.util.concurrent.ExecutionException
import java.util.concurrent.Executors
import kotlin.io.path.name

/**
 * Time of one round in microseconds. The median tells the speed of the core, because a round is shorter than the time that the kernel
 * gives a thread at once; the mean tells also whether others took the core between rounds.
 */
data class ReferenceTime(val medianMicros: Double, val meanMicros: Double)

/**
 * A fixed piece of work whose time says how fast and how free a core is. It runs on a thread of its own, which [pin] moves, by the
 * kernel's number of that thread, to the cores of which it shall tell: a loop on the coordinator's own cores would tell of the wrong ones.
 * Nothing else uses that thread, and between two times it waits, so it takes nothing from the target.
 *
 * The work is arithmetic on one number, each step waiting for the one before: no memory, no branches, nothing that a cache or a collector
 * could change. So it sees the frequency of the core, its sibling, the hypervisor and other programs, and not the memory.
 *
 * For one thread at a time.
 */
class ReferenceLoop(pin: (threadId: Long) -> Unit) : AutoCloseable {
    private val thread = Executors.newSingleThreadExecutor { Thread(it, "reference-loop").apply { isDaemon = true } }

    init {
        thread.submit {
            ownThreadId()?.let(pin)
            repeat(WARM_UP_ROUNDS) { round() }
        }
    }

    /** [ROUNDS] rounds, now; fewer where others take the core so much that they would not be done in time. */
    fun run(): ReferenceTime = try {
        thread.submit(Callable { rounds() }).get()
    } catch (failed: ExecutionException) {
        throw failed.cause ?: failed
    }

    override fun close() {
        thread.shutdownNow()
    }

    /** Written by the reference thread alone; without it the compiler could find out that nobody wants the result. */
    @Volatile
    private var result = 1L

    private fun rounds(): ReferenceTime {
        val endNanos = System.nanoTime() + MOST_NANOS
        val times = ArrayList<Long>()
        do times += round() while (times.size < ROUNDS && System.nanoTime() < endNanos)
        return ReferenceTime(times.sorted()[times.size / 2] / 1e3, times.average() / 1e3)
    }

    private fun round(): Long {
        val start = System.nanoTime()
        result = work(result)
        return System.nanoTime() - start
    }

    companion object {
        const val ROUNDS = 11

        /** Three times what the rounds take on a core of 3 GHz. */
        private const val MOST_NANOS = 60_000_000L

        /** Until the compiler is done with it, in whatever Java it runs. */
        private const val WARM_UP_ROUNDS = 20

        /** About two milliseconds on a core of 3 GHz. */
        private const val STEPS = 1_000_000

        /** Marsaglia's xorshift generator (*Journal of Statistical Software* 8, 2003): never zero, so never simpler than it looks. */
        private fun work(start: Long): Long {
            var x = start
            repeat(STEPS) {
                x = x xor (x shl 13)
                x = x xor (x ushr 7)
                x = x xor (x shl 17)
            }
            return x
        }

        /** Linux; null elsewhere. The link leads to `/proc/<pid>/task/<thread>`. */
        private fun ownThreadId(): Long? =
            runCatching { Path.of("/proc/thread-self").toRealPath().name.toLong() }.getOrNull()
    }
}
