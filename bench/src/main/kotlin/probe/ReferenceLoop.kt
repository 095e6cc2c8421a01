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
 * Time of one round in microseconds. The median shows the speed of the core, because a round is shorter than a time
 * slice of the kernel. The mean also shows whether other programs used the core between rounds.
 */
data class ReferenceTime(val medianMicros: Double, val meanMicros: Double)

/**
 * A fixed piece of work whose time shows how fast and how free a core is. It runs on a thread of its own, which [pin]
 * moves to the observed cores by the kernel's ID of the thread, because the coordinator runs on other cores. Nothing
 * else uses that thread. It waits between measurements, so it takes no CPU time from the target. During a load it uses
 * 0.2 % of a core, see [watch].
 *
 * The work is arithmetic on one number, with each step depending on the previous one: no memory, no branches, nothing
 * that caches or collectors affect. So its time depends on the frequency of the core, the sibling thread, the
 * hypervisor and other programs, but not on memory.
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
     * Runs [ROUNDS] rounds; fewer if other programs use the core so much that they would exceed the time limit. Ends a
     * [watch].
     */
    fun run(): ReferenceTime {
        isWatching = false
        return resultOf(thread.submit(Callable { rounds() }))
    }

    /**
     * Until [watched] or [run], runs a twentieth of a round every 47 ms, preempting other threads. So it measures the
     * core as the target sees it, including changes of speed from second to second.
     */
    fun watch() {
        isWatching = true
        watch = thread.submit(Callable { shortRounds() })
    }

    /**
     * Mean time of a round in microseconds since [watch], in CPU time of the reference thread, so that waiting for the
     * core is not included. Null without a [watch], and where the system does not report the CPU time of a thread.
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

    /** Written only by the reference thread. Without it, the compiler could eliminate the unused result. */
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

        /** Three times the duration of the rounds on a core of 3 GHz. */
        private const val MAX_NANOS = 60_000_000L

        /** Enough rounds for any JVM to compile it. */
        private const val WARM_UP_ROUNDS = 20

        /** About two milliseconds on a core of 3 GHz. */
        private const val STEPS = 1_000_000

        /** About 0.1 ms: less than a request of the target waits anyway. */
        private const val SHORT_STEPS = 50_000

        /**
         * Two hundred times in ten seconds. Not a multiple of the kernel's ticks, so that it does not always coincide
         * with the same kernel work.
         */
        private const val PAUSE_NANOS = 47_000_000L

        private val threads = ManagementFactory.getThreadMXBean()

        /**
         * Marsaglia's xorshift generator (*Journal of Statistical Software* 8, 2003). It is never zero, so the work
         * never becomes trivial.
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

        /** Linux only; null elsewhere. The link points to `/proc/<pid>/task/<thread>`. */
        private fun ownThreadId(): Long? =
            runCatching { Path.of("/proc/thread-self").toRealPath().name.toLong() }.getOrNull()
    }
}
