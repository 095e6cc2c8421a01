package threadgauge.probe.profile

import java.time.Duration
import java.util.Random
import threadgauge.model.profile.Pool
import threadgauge.model.profile.ProfilePart
import threadgauge.probe.ProcessProbe
import threadgauge.probe.profile.dump.RawDump
import threadgauge.probe.profile.dump.ThreadDumper
import threadgauge.probe.profile.pool.PoolSource

/**
 * Observes a process from the lead-in of a load to the end of its window, which begins at [startNanos] of
 * `System.nanoTime` and lasts [windowNanos]. Two threads of its own take what is at the ends of the window, and look
 * into it in between at times that [random] spreads. Used once, by one thread; its results may be read after [await].
 * [stop] may be called from any thread.
 */
internal class ProcessWatch(
    private val startNanos: Long,
    private val windowNanos: Long,
    private val dumper: ThreadDumper,
    private val poolReader: PoolSource,
    private val process: ProcessProbe,
    private val tasks: () -> TaskTimes,
    private val random: Random,
    private val gaps: Gaps,
    private val beforeWindow: () -> Unit,
) {
    // Each is written by one thread of the two, and read after its end.
    private val taken = ArrayList<RawDump>()
    private val rehearsed = ArrayList<RawDump>()
    private var tasksAtStart: TaskTimes? = null
    private var tasksAtEnd: TaskTimes? = null
    private var cpuAtStart: Double? = null
    private var cpuAtEnd: Double? = null
    private val endNanos = startNanos + windowNanos
    private val budgetNanos = windowNanos / DUMP_SHARE
    private var tookNanos = 0L
    private var longestNanos = 0L
    private var threads: List<Thread> = emptyList()

    /** Dumps within the window, in their order. */
    val dumps: List<RawDump> get() = taken

    /** Dumps of the lead-in: they show source files, and nothing of the window. */
    val dumpsBefore: List<RawDump> get() = rehearsed

    val pools: List<Pool> get() = poolReader.pools()

    val windowMillis: Double get() = windowNanos / 1e6

    /** CPU time in the window, in milliseconds; null where it is unknown. */
    val cpuMillis: Double? get() = cpuAtStart?.let { before -> cpuAtEnd?.minus(before) }

    /** What each thread used before and until the end of the window; null where it is unknown. */
    val tasksOfWindow: Pair<TaskTimes, TaskTimes>?
        get() = tasksAtStart?.let { before -> tasksAtEnd?.let { before to it } }

    fun start() = apply {
        threads = listOf(startThread("profile-ends", ::takeEnds), startThread("profile-looks", ::look))
    }

    /** Waits until the window is over and everything is taken. */
    fun await() = threads.forEach { it.join() }

    /** Ends early. A call to the JVM that is under way is waited for, but not for ever: the JVM may hang. */
    fun stop() = threads.forEach {
        it.interrupt()
        it.join(PATIENCE_MILLIS)
    }

    private fun takeEnds() {
        sleepUntil(startNanos - SETTLING_NANOS)
        beforeWindow()
        sleepUntil(startNanos)
        cpuAtStart = cpuMillisSoFar()
        tasksAtStart = gaps.of(ProfilePart.THREADS, tasks)
        sleepUntil(endNanos)
        cpuAtEnd = cpuMillisSoFar()
        tasksAtEnd = gaps.of(ProfilePart.THREADS, tasks)
    }

    private fun cpuMillisSoFar() = process.read()?.cpuMillis

    private fun look() {
        gaps.of(ProfilePart.POOLS) { poolReader.find() }
        // The first way may fail where the second does not.
        val nanos = gaps.of(ProfilePart.DUMPS, ::dumpNanos) ?: gaps.of(ProfilePart.DUMPS, ::dumpNanos)
        val dumps = nanos?.let(::dumpsFor) ?: 0
        val looks = spread(LOOKS).map { it to ::readPools } + spread(dumps).map { it to ::takeDump }
        for ((atNanos, look) in looks.sortedBy { it.first }) {
            sleepUntil(atNanos)
            if (System.nanoTime() - endNanos >= 0) break
            look()
        }
        // Otherwise a profile without dumps could not be told from one of a process in which nothing waits.
        if (dumps > 0 && taken.isEmpty()) gaps.add(ProfilePart.DUMPS, "late: ${longestNanos / 1_000_000} ms")
    }

    /**
     * What a dump costs, by one or two in the lead-in: the first in a JVM takes several times as long. It is the CPU
     * time of the threads that serve this connection, because on busy cores they wait longer than they work.
     */
    private fun dumpNanos(): Long {
        val before = servingNanos()
        val first = timed { rehearsed += dumper.dump() }
        val between = servingNanos()
        if (first * 2 > startNanos - System.nanoTime()) return spent(before, between, first)
        val second = timed { rehearsed += dumper.dump() }
        return spent(between, servingNanos(), second)
    }

    private fun servingNanos(): Long? =
        runCatching { tasks() }.getOrNull()?.tasks?.values?.filter { it.name.startsWith(SERVING) }?.sumOf { it.cpu }

    private fun spent(before: Long?, after: Long?, tookNanos: Long): Long =
        if (before == null || after == null || after <= before) tookNanos else after - before

    private fun dumpsFor(nanos: Long): Int = (budgetNanos / maxOf(1, nanos)).coerceIn(1, MAX_DUMPS.toLong()).toInt()

    /** No more where those so far were under way for a large part of the window. */
    private fun takeDump() {
        if (tookNanos > windowNanos / LONG_SHARE) return
        gaps.of(ProfilePart.DUMPS) { tookNanos += timed { taken += dumper.dump() } }
    }

    private fun readPools() {
        gaps.of(ProfilePart.POOLS) { poolReader.read() }
    }

    /** [count] moments of the window, one in each of as many equal parts. */
    private fun spread(count: Int): List<Long> =
        List(count) { startNanos + ((it + random.nextDouble()) * windowNanos / count).toLong() }

    private fun timed(dump: () -> Unit): Long {
        val before = System.nanoTime()
        dump()
        return (System.nanoTime() - before).also { longestNanos = maxOf(longestNanos, it) }
    }

    private fun sleepUntil(nanos: Long) {
        val left = nanos - System.nanoTime()
        if (left > 0) Thread.sleep(Duration.ofNanos(left))
    }

    private fun startThread(name: String, work: () -> Unit): Thread = Thread.ofPlatform().name(name).daemon().start {
        try {
            work()
        } catch (_: InterruptedException) {
            // Ended early.
        }
    }

    private companion object {
        const val MAX_DUMPS = 20
        const val LOOKS = 10
        const val PATIENCE_MILLIS = 2_000L

        /** A 50th of the window, 2 %, for the CPU time of dumps. */
        const val DUMP_SHARE = 50

        /** A fifth of the window. */
        const val LONG_SHARE = 5

        /** What begins before the window should have ended when it begins. */
        const val SETTLING_NANOS = 200_000_000L

        /** Threads of RMI, as the kernel cuts their names. */
        const val SERVING = "RMI TCP Connec"
    }
}
