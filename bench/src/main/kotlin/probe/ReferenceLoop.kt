package threadgauge.probe

import java.lang.management.ManagementFactory
import java.nio.file.Path
import java.util.concurrent.Callable
import java.util.concurrent.ExecutionException
import java.util.concurrent.Executors
import java.util.concurrent.Future
import java.util.concurrent.locks.LockSupport
import kotlin.io.path.name

/**
 * Time of one round in microseconds. The median tells the speed of the core, because a round is shorter than the time
 * that the kernel gives a thread at once; the mean tells also whether others took the core between rounds.
 */
data class ReferenceTime(val medianMicros: Double, val meanMicros: Double)

/**
 * A fixed piece of work whose time says how fast and how free a core is. It runs on a thread of its own, which [pin]
 * moves, by the kernel's number of that thread, to the cores of which it shall tell: a loop on the coordinator's own
 * cores would tell of the wrong ones. Nothing else uses that thread, and between two times it waits, so it takes
 * nothing from the target. While the target is loaded it takes two thousandths of a core, see [watch].
 *
 * The work is arithmetic on one number, each step waiting for the one before: no memory, no branches, nothing that a
 * cache or a collector could change. So it sees the frequency of the core, its sibling, the hypervisor and other
 * programs, and not the memory.
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

    /**
     * [ROUNDS] rounds, now; fewer where others take the core so much that they would not be done in time. Ends a
     * [watch].
     */
    fun run(): ReferenceTime {
        isWatching = false
        return resultOf(thread.submit(Callable { rounds() }))
    }

    /**
     * From now on, and until [watched] or [run], a twentieth of a round of every 47 ms, for which it takes the core
     * from whoever has it: so it sees the core as the target does, also where the core's speed changes from one second
     * to the next.
     */
    fun watch() {
        isWatching = true
        watch = thread.submit(Callable { shortRounds() })
    }

    /**
     * Mean time of a round in microseconds since [watch]: processor time of the reference thread, so that having to
     * wait for the core is not in it. Null where nothing was watched, or the system does not tell a thread's time.
     */
    fun watched(): Double? {
        isWatching = false
        return watch?.let { resultOf(it) }.also { watch = null }
    }

    override fun close() {
        isWatching = false
        thread.shutdownNow()
    }

    private var watch: Future<Double?>? = null

    @Volatile
    private var isWatching = false

    private fun <T> resultOf(task: Future<T>): T = try {
        task.get()
    } catch (failed: ExecutionException) {
        throw failed.cause ?: failed
    }

    /** Written by the reference thread alone; without it the compiler could find out that nobody wants the result. */
    @Volatile
    private var result = 1L

    private fun rounds(): ReferenceTime {
        val endNanos = System.nanoTime() + MAX_NANOS
        val times = ArrayList<Long>()
        do times += round() while (times.size < ROUNDS && System.nanoTime() < endNanos)
        return ReferenceTime(times.sorted()[times.size / 2] / 1e3, times.average() / 1e3)
    }

    private fun round(): Long {
        val start = System.nanoTime()
        result = work(result, STEPS)
        return System.nanoTime() - start
    }

    private fun shortRounds(): Double? {
        if (!threads.isCurrentThreadCpuTimeSupported) return null
        var nanos = 0L
        var rounds = 0
        while (isWatching) {
            LockSupport.parkNanos(PAUSE_NANOS)
            val start = threads.currentThreadCpuTime
            result = work(result, SHORT_STEPS)
            nanos += threads.currentThreadCpuTime - start
            rounds++
        }
        return if (rounds == 0) null else nanos / 1e3 / rounds * (STEPS / SHORT_STEPS)
    }

    companion object {
        const val ROUNDS = 11

        /** Three times what the rounds take on a core of 3 GHz. */
        private const val MAX_NANOS = 60_000_000L

        /** Until the compiler is done with it, in whatever Java it runs. */
        private const val WARM_UP_ROUNDS = 20

        /** About two milliseconds on a core of 3 GHz. */
        private const val STEPS = 1_000_000

        /** About a tenth of a millisecond: less than what a request of the target waits for anyway. */
        private const val SHORT_STEPS = 50_000

        /**
         * Two hundred times in ten seconds; no multiple of the kernel's ticks, so that it does not always meet the same
         * work of theirs.
         */
        private const val PAUSE_NANOS = 47_000_000L

        private val threads = ManagementFactory.getThreadMXBean()

        /**
         * Marsaglia's xorshift generator (*Journal of Statistical Software* 8, 2003): never zero, so never simpler than
         * it looks.
         */
        private fun work(start: Long, steps: Int): Long {
            var x = start
            repeat(steps) {
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
