package threadgauge.tickets.faults

import java.util.Random
import java.util.concurrent.locks.ReentrantLock
import kotlin.concurrent.withLock

/** Kills, ends, stops and cuts off at random what sells, what keeps the books and what services share besides, until it is closed. */
internal class Chaos(
    private val replicas: List<Replica>,
    private val database: LedgerDatabase,
    private val proxy: FaultProxy,
    private val redis: RedisServer?,
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
                Thread.sleep(random.nextLong(MIN_PAUSE_MILLIS, settings.maxPauseMillis))
                lock.withLock { if (!isOver) fault() }
            }
        } catch (broken: Exception) {
            failure = broken
        }
    }

    /** So many of each kind so far. */
    val done: Map<String, Int> get() = lock.withLock { counts + proxy.done }

    /** Nothing goes wrong while [block] runs, and everything has recovered before it does. */
    fun <T> withoutFaults(block: () -> T): T = lock.withLock {
        failure?.let { throw it }
        replicas.forEach { it.awaitReady() }
        block()
    }

    /** Only what is well is hurt, and never the last that is well: killing what is still starting would stop the sale and prove nothing. */
    private fun fault() {
        val well = replicas.filter { it.isReady() }
        if (well.size < 2) return
        val replica = well[random.nextInt(well.size)]
        val number = random.nextInt(if (redis == null) FAULTS else FAULTS + settings.redisFaults)
        if (number >= FAULTS) return hurt(redis!!)
        when (number) {
            in 0..5 -> replica.kill().also { count(KILLED_SERVICES) }
            in 6..7 -> database.kill().also { count(KILLED_DATABASES) }
            in 8..10 -> proxy.cut(ProtocolStep.COMMITTED)
            11 -> proxy.cut(ProtocolStep.REQUESTED)
            in 12..13 -> replica.restartGracefully().also { count(RESTARTED_SERVICES) }
            else -> replica.pauseFor(STOP_MILLIS + random.nextLong(STOP_MILLIS)).also { count(PAUSED_SERVICES) }
        }
    }

    private fun hurt(redis: RedisServer) = when (random.nextInt(6)) {
        0, 1 -> redis.kill().also { count(KILLED_REDIS) }
        2 -> redis.empty().also { count(EMPTIED_REDIS) }
        // Kept at one time, set back at another.
        3, 4 -> if (redis.hasBackup) redis.restoreBackup().also { count(RESTORED_REDIS) } else redis.backUp()
        else -> redis.pauseFor(STOP_MILLIS + random.nextLong(STOP_MILLIS)).also { count(PAUSED_REDIS) }
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
        const val RESTARTED_SERVICES = "services ended and started anew"
        const val PAUSED_SERVICES = "services stopped for seconds"
        const val KILLED_REDIS = "memories killed"
        const val EMPTIED_REDIS = "memories emptied"
        const val RESTORED_REDIS = "memories killed and set back"
        const val PAUSED_REDIS = "memories stopped for seconds"

        /** Sum of their weights. */
        private const val FAULTS = 16
        private const val MIN_PAUSE_MILLIS = 300L
        private const val STOP_MILLIS = 1_000L
    }
}
