package threadgauge.tickets.faults

import java.util.Random

/** Faults of services, their database and their Redis, all of them processes of this machine. */
internal class LocalFaults(
    private val replicas: List<Replica>,
    private val database: LedgerDatabase,
    private val proxy: FaultProxy,
    private val redis: RedisServer?,
    redisWeight: Int,
    private val random: Random,
) : Faults {
    private val deck = Deck(if (redis == null) FAULTS else FAULTS + redisWeight, random)
    private val redisDeck = Deck(REDIS_FAULTS, random)

    override fun awaitReady() = replicas.forEach { it.awaitReady() }

    /**
     * Affects only a ready service, and never the last one: otherwise nothing would be sold and nothing tested. What
     * the proxy is told to cut is counted by the proxy, once it has cut it.
     */
    override fun inject(): String? {
        val ready = replicas.filter { it.isReady() }
        if (ready.size < 2) return null
        val replica = ready[random.nextInt(ready.size)]
        val number = deck.next()
        if (number >= FAULTS) return inject(redis!!)
        return when (number) {
            in 0..5 -> KILLED_SERVICES.after { replica.kill() }
            in 6..7 -> KILLED_DATABASES.after { database.kill() }
            in 8..10 -> null.after { proxy.cut(ProtocolStep.COMMITTED) }
            11 -> null.after { proxy.cut(ProtocolStep.REQUESTED) }
            in 12..13 -> RESTARTED_SERVICES.after { replica.restartGracefully() }
            else -> PAUSED_SERVICES.after { replica.pauseFor(PAUSE_MILLIS + random.nextLong(PAUSE_MILLIS)) }
        }
    }

    private fun inject(redis: RedisServer): String? = when (redisDeck.next()) {
        0, 1 -> KILLED_REDIS.after { redis.kill() }
        2 -> EMPTIED_REDIS.after { redis.empty() }
        // Backed up at one time, restored at another.
        3, 4 -> if (redis.hasBackup) RESTORED_REDIS.after { redis.restoreBackup() } else null.after { redis.backUp() }
        else -> PAUSED_REDIS.after { redis.pauseFor(PAUSE_MILLIS + random.nextLong(PAUSE_MILLIS)) }
    }

    private inline fun String?.after(fault: () -> Unit): String? {
        fault()
        return this
    }

    companion object {
        const val RESTARTED_SERVICES = "services restarted"
        const val PAUSED_SERVICES = "services paused"
        const val KILLED_REDIS = "Redis killed"
        const val EMPTIED_REDIS = "Redis emptied"
        const val RESTORED_REDIS = "Redis killed and restored from a backup"
        const val PAUSED_REDIS = "Redis paused"

        /** Sum of the weights. */
        private const val FAULTS = 16
        private const val REDIS_FAULTS = 6

        /** Shortest pause of a process; the longest is twice as long. */
        private const val PAUSE_MILLIS = 1_000L
    }
}
