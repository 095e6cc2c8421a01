package threadgauge.tickets.faults

import java.util.Random
import java.util.concurrent.locks.ReentrantLock
import kotlin.concurrent.withLock

/** Kills, ends, stops and cuts off at random what sells, what keeps the books and what services share besides, until it is closed. */
internal class Chaos(
    private val replicas: List<Replica>,
    private val books: Books,
    private val proxy: Proxy,
    private val memory: Memory?,
    private val settings: SoakSettings,
) : AutoCloseable {
    private val random = Random(settings.seed)
    private val lock = ReentrantLock()
    private val counts = LinkedHashMap<String, Int>()

    @Volatile
    private var isOver = false

    /** Something could not be hurt or mended; whoever sells may stop. */
    @Volatile
    var failure: Exception? = null
        private set

    private val thread = Thread.ofPlatform().name("chaos").start {
        try {
            while (!isOver) {
                Thread.sleep(random.nextLong(LEAST_PAUSE_MILLIS, settings.pauseMillisMost))
                lock.withLock { if (!isOver) fault() }
            }
        } catch (broken: Exception) {
            failure = broken
        }
    }

    /** So many of each kind so far. */
    val done: Map<String, Int> get() = lock.withLock { counts + proxy.done }

    /** Nothing goes wrong while [block] runs, and everything has recovered before it does. */
    fun <T> calmly(block: () -> T): T = lock.withLock {
        failure?.let { throw it }
        replicas.forEach { it.awaitReady() }
        block()
    }

    /** Only what is well is hurt, and never the last that is well: killing what is still starting would stop the sale and prove nothing. */
    private fun fault() {
        val well = replicas.filter { it.isReady() }
        if (well.size < 2) return
        val replica = well[random.nextInt(well.size)]
        val number = random.nextInt(if (memory == null) FAULTS else FAULTS + settings.memoryFaults)
        if (number >= FAULTS) return hurt(memory!!)
        when (number) {
            in 0..5 -> replica.kill().also { count(KILLED_SERVICES) }
            in 6..7 -> books.kill().also { count(KILLED_BOOKS) }
            in 8..10 -> proxy.cut(Moment.COMMITTED)
            11 -> proxy.cut(Moment.ASKED)
            in 12..13 -> replica.renew().also { count(RENEWED_SERVICES) }
            else -> replica.stopFor(STOP_MILLIS + random.nextLong(STOP_MILLIS)).also { count(STOPPED_SERVICES) }
        }
    }

    private fun hurt(memory: Memory) = when (random.nextInt(6)) {
        0, 1 -> memory.kill().also { count(KILLED_MEMORY) }
        2 -> memory.empty().also { count(EMPTIED_MEMORY) }
        // Kept at one time, set back at another.
        3, 4 -> if (memory.hasKept) memory.rewind().also { count(REWOUND_MEMORY) } else memory.keep()
        else -> memory.stopFor(STOP_MILLIS + random.nextLong(STOP_MILLIS)).also { count(STOPPED_MEMORY) }
    }

    private fun count(what: String) {
        counts.merge(what, 1, Int::plus)
    }

    override fun close() {
        isOver = true
        thread.join()
    }

    companion object {
        const val KILLED_SERVICES = "services killed"
        const val KILLED_BOOKS = "databases killed"
        const val RENEWED_SERVICES = "services ended and started anew"
        const val STOPPED_SERVICES = "services stopped for seconds"
        const val KILLED_MEMORY = "memories killed"
        const val EMPTIED_MEMORY = "memories emptied"
        const val REWOUND_MEMORY = "memories killed and set back"
        const val STOPPED_MEMORY = "memories stopped for seconds"

        /** Sum of their weights. */
        private const val FAULTS = 16
        private const val LEAST_PAUSE_MILLIS = 300L
        private const val STOP_MILLIS = 1_000L
    }
}
