package threadgauge.tickets.faults

import java.net.URI
import java.nio.file.Files
import java.nio.file.Path
import java.time.Duration
import java.util.Random
import threadgauge.tickets.history.BrokenPromise
import threadgauge.tickets.history.LedgerEntry

/** Settings of a [Soak]. A round is the sale of one event. */
internal class SoakSettings(
    val home: Path,
    val replicas: Int = 3,
    val strategy: String = "batch",
    val database: LedgerKind = LedgerKind.POSTGRESQL,
    val seed: Long = 1,
    val clients: Int = 64,
    val requestsPerRound: Int = 20_000,
    val capacity: Int = 15_000,
    /** Maximum pause between two faults. */
    val maxPauseMillis: Long = 2_800,
    /** Weight of faults of the shared Redis, if there is one; those of all other faults add up to 16. */
    val redisFaults: Int = 4,
    /** The clock of the first service is ahead of the database's by this, that of the second behind, and so on. */
    val clockError: Duration = Duration.ofHours(1),
) {
    /** By the service's names of strategies. */
    val needsRedis: Boolean get() = strategy.startsWith("redis") || strategy == "queue" || strategy == "naive"

    fun clockOffsetOf(replica: Int): Duration = when (replica % 3) {
        0 -> clockError
        1 -> clockError.negated()
        else -> Duration.ZERO
    }
}

/** Results of a [Soak] so far. */
internal class SoakTally(sold: RoundsTally, val faults: Map<String, Int>) {
    val rounds: Int = sold.rounds
    val calls: Long = sold.calls
    val granted: Long = sold.granted
    val unknown: Long = sold.unknown
    val broken: List<BrokenPromise> = sold.broken
    val kills: Int get() = killsOf(faults)

    /** Transactions that were committed while the connection was cut before the service learned of it. */
    val unacknowledgedCommits: Int get() = faults[ProtocolStep.COMMITTED.description] ?: 0
}

/**
 * Sells one event after the other through several services while these and their database are killed, and checks every
 * call against the ledger. Everything that it starts ends with it.
 */
internal class Soak(settings: SoakSettings) : AutoCloseable {
    private val folder: Path = Files.createTempDirectory("threadgauge-soak-")
    private val opened = ArrayList<AutoCloseable>()
    private val database: LedgerDatabase
    private val replicas: List<Replica>
    private val proxy: FaultProxy
    private val faults: FaultLoop
    private val rounds: SaleRounds

    init {
        try {
            database = LedgerDatabase(settings.home, folder, settings.database).also(opened::add)
            proxy = FaultProxy(database.port, database.kind.newProtocol).also(opened::add)
            val redis = if (settings.needsRedis) RedisServer(settings.home, folder).also(opened::add) else null
            replicas = List(settings.replicas) {
                val offset = settings.clockOffsetOf(it)
                Replica(settings.home, folder, it + 1, database, proxy, settings.strategy, redis?.address, offset)
                    .also(opened::add)
            }
            replicas.forEach { it.awaitReady() }
            val random = Random(settings.seed)
            val local = LocalFaults(replicas, database, proxy, redis, settings.redisFaults, random)
            faults = FaultLoop(local, random, MIN_PAUSE_MILLIS..settings.maxPauseMillis).also(opened::add)
            rounds = SaleRounds(
                Services(), settings.seed, settings.clients, settings.requestsPerRound, settings.capacity,
            )
        } catch (failure: Exception) {
            close()
            throw failure
        }
    }

    fun tally() = SoakTally(rounds.tally(), faults.done + proxy.done)

    /** Sells one event to its end and checks all calls. */
    fun round() = rounds.round()

    override fun close() {
        opened.asReversed().forEach { runCatching { it.close() } }
        folder.toFile().deleteRecursively()
    }

    private inner class Services : FaultySale {
        override val urls: List<URI> = replicas.map { it.url }
        override val failure get() = faults.failure

        override fun <T> withoutFaults(block: () -> T): T = faults.withoutFaults(block)

        override fun open(capacity: Int, hold: Duration): Long = replicas.first().open(capacity, hold)

        override fun entries(event: Long): List<LedgerEntry> = database.entries(event)
    }

    private companion object {
        const val MIN_PAUSE_MILLIS = 300L
    }
}
