package threadgauge.tickets.faults

import java.nio.file.Files
import java.nio.file.Path
import java.time.Duration
import threadgauge.tickets.history.BrokenPromise
import threadgauge.tickets.history.History
import threadgauge.tickets.history.brokenPromises

/**
 * All that a sale needs: a database and a Redis behind proxies, and any number of services. Ends all of them on close.
 */
internal class FaultScenario(kind: LedgerKind = LedgerKind.POSTGRESQL) : AutoCloseable {
    private val home = Path.of("../..").toRealPath()
    private val folder: Path = Files.createTempDirectory("threadgauge-faults-")
    private val opened = ArrayList<AutoCloseable>()
    private var services = 0
    val database = started { LedgerDatabase(home, folder, kind) }
    val proxy = started { FaultProxy(database.port, kind.newProtocol) }
    val redis: RedisServer by lazy { started { RedisServer(home, folder) } }

    /** Between services and the [redis]. */
    val redisProxy: FaultProxy by lazy { started { FaultProxy(redis.port, ::RedisProtocol) } }

    /** Starts another service with this [strategy], whose clock is shifted by [clockOffset]. Does not await it. */
    fun service(
        strategy: String,
        settings: Map<String, String> = emptyMap(),
        clockOffset: Duration = Duration.ZERO,
    ): Replica {
        val shared = if (strategy in WITH_REDIS) "redis://127.0.0.1:${redisProxy.port}" else null
        return started { Replica(home, folder, ++services, database, proxy, strategy, shared, clockOffset, settings) }
    }

    /** A proxy between clients and the [service]. */
    fun clientProxy(service: Replica): FaultProxy = started { FaultProxy(service.url.port, ::HttpProtocol) }

    /** Promises to [clients] that are broken, by the current ledger of the [event]. */
    fun broken(event: Long, capacity: Int, clients: List<TicketClient>): List<BrokenPromise> {
        val snapshots = listOf(database.snapshot(event))
        return brokenPromises(History(capacity, clients.flatMap { it.calls }, database.entries(event), snapshots))
    }

    private fun <T : AutoCloseable> started(make: () -> T): T = try {
        make().also(opened::add)
    } catch (failure: Exception) {
        close()
        throw failure
    }

    override fun close() {
        opened.asReversed().forEach { runCatching { it.close() } }
        folder.toFile().deleteRecursively()
    }

    private companion object {
        val WITH_REDIS = listOf("redis-lua", "redis-lock", "queue", "naive")
    }
}
