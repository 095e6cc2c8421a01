package threadgauge.tickets.faults

import java.util.Random
import java.util.concurrent.locks.ReentrantLock
import kotlin.concurrent.withLock

/** Injects faults in random order into services, their database and their Redis, until it is closed. */
internal class Chaos(
    private val replicas: List<Replica>,
    private val database: LedgerDatabase,
    private val proxy: FaultProxy,
    private val redis: RedisServer?,
    private val settings: SoakSettings,
) : AutoCloseable {
    private val random = Random(settings.seed)
    private val faults = Deck(if (redis == null) FAULTS else FAULTS + settings.redisFaults, random)
    private val redisFaults = Deck(REDIS_FAULTS, random)
    private val lock = ReentrantLock()
    private val counts = LinkedHashMap<String, Int>()

    @Volatile
    private var isOver = false

    /** A fault could not be injected or recovered from, so the sale may stop. */
    @Volatile
    var failure: Exception? = null
        private set

    private val thread = Thread.ofPlatform().name("chaos").start {
        try {
            while (!isOver) {
                Thread.sleep(random.nextLong(MIN_PAUSE_MILLIS, settings.maxPauseMillis))
                lock.withLock { if (!isOver) injectFault() }
            }
        } catch (broken: Exception) {
            failure = broken
        }
    }

    /** Number of faults so far, by description. */
    val done: Map<String, Int> get() = lock.withLock { counts + proxy.done }

    /** Runs [block] without faults, after all services are ready. */
    fun <T> withoutFaults(block: () -> T): T = lock.withLock {
        failure?.let { throw it }
        replicas.forEach { it.awaitReady() }
        block()
    }

    /** Affects only a ready service, and never the last one: otherwise nothing would be sold and nothing tested. */
    private fun injectFault() {
        val ready = replicas.filter { it.isReady() }
        if (ready.size < 2) return
        val replica = ready[random.nextInt(ready.size)]
        val number = faults.next()
        if (number >= FAULTS) return injectFault(redis!!)
        when (number) {
            in 0..5 -> replica.kill().also { count(KILLED_SERVICES) }
            in 6..7 -> database.kill().also { count(KILLED_DATABASES) }
            in 8..10 -> proxy.cut(ProtocolStep.COMMITTED)
            11 -> proxy.cut(ProtocolStep.REQUESTED)
            in 12..13 -> replica.restartGracefully().also { count(RESTARTED_SERVICES) }
            else -> replica.pauseFor(PAUSE_MILLIS + random.nextLong(PAUSE_MILLIS)).also { count(PAUSED_SERVICES) }
        }
    }

    private fun injectFault(redis: RedisServer) = when (redisFaults.next()) {
        0, 1 -> redis.kill().also { count(KILLED_REDIS) }
        2 -> redis.empty().also { count(EMPTIED_REDIS) }
        // Backed up at one time, restored at another.
        3, 4 -> if (redis.hasBackup) redis.restoreBackup().also { count(RESTORED_REDIS) } else redis.backUp()
        else -> redis.pauseFor(PAUSE_MILLIS + random.nextLong(PAUSE_MILLIS)).also { count(PAUSED_REDIS) }
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
        const val KILLED_DATABASES = "databases killed"
        const val RESTARTED_SERVICES = "services restarted"
        const val PAUSED_SERVICES = "services paused"
        const val KILLED_REDIS = "Redis killed"
        const val EMPTIED_REDIS = "Redis emptied"
        const val RESTORED_REDIS = "Redis killed and restored from a backup"
        const val PAUSED_REDIS = "Redis paused"

        /** Sum of the weights. */
        private const val FAULTS = 16
        private const val REDIS_FAULTS = 6
        private const val MIN_PAUSE_MILLIS = 300L

        /** Shortest pause of a process; the longest is twice as long. */
        private const val PAUSE_MILLIS = 1_000L
    }
}

/**
 * Draws the numbers below [size] as from a pack of cards: each once before any comes again. So every kind of fault
 * happens before long, as often as its weight says.
 */
internal class Deck(private val size: Int, private val random: Random) {
    private val left = ArrayDeque<Int>()

    fun next(): Int {
        if (left.isEmpty()) left += (0 until size).shuffled(random)
        return left.removeFirst()
    }
}
