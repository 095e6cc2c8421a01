package threadgauge.tickets.faults

import threadgauge.tickets.history.History
import threadgauge.tickets.history.brokenPromises
import java.nio.file.Files
import java.nio.file.Path
import java.time.Duration

/** What a sale takes: a database behind a proxy, a Redis where one is needed, and as many services as are wanted. It all ends with this. */
internal class FaultScenario(kind: LedgerKind = LedgerKind.POSTGRESQL) : AutoCloseable {
    private val home = Path.of("../..").toRealPath()
    private val folder: Path = Files.createTempDirectory("threadgauge-faults-")
    private val opened = ArrayList<AutoCloseable>()
    private var services = 0
    val database = begun { LedgerDatabase(home, folder, kind) }
    val proxy = begun { FaultProxy(database.port, kind.newProtocol) }
    val redis: RedisServer by lazy { begun { RedisServer(home, folder) } }

    /** Before the [redis], for services. */
    val redisProxy: FaultProxy by lazy { begun { FaultProxy(redis.port, ::RedisProtocol) } }

    /** Begins to start one more service, which sells by that [strategy] and whose clock is so far [clockOffset]. */
    fun service(strategy: String, settings: Map<String, String> = emptyMap(), clockOffset: Duration = Duration.ZERO): Replica {
        val shared = if (strategy in WITH_REDIS) "redis://127.0.0.1:${redisProxy.port}" else null
        return begun { Replica(home, folder, ++services, database, proxy, strategy, shared, clockOffset, settings) }
    }

    /** Before the [service], for callers who are to be cut off from it. */
    fun clientProxy(service: Replica): FaultProxy = begun { FaultProxy(service.url.port, ::HttpProtocol) }

    /** What [clients] were promised and did not get, by what the books say of the [event] now. */
    fun broken(event: Long, capacity: Int, clients: List<TicketClient>) =
        brokenPromises(History(capacity, clients.flatMap { it.calls }, database.entries(event), listOf(database.snapshot(event))))

    private fun <T : AutoCloseable> begun(make: () -> T): T = try {
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
