package threadgauge.tickets.faults

import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.nio.file.Files
import java.nio.file.Path
import java.time.Duration
import java.util.Random
import java.util.concurrent.Callable
import java.util.concurrent.Executors
import java.util.concurrent.atomic.AtomicBoolean
import threadgauge.tickets.history.BrokenPromise
import threadgauge.tickets.history.History
import threadgauge.tickets.history.LedgerSnapshot
import threadgauge.tickets.history.brokenPromises
import threadgauge.tickets.rules.IdempotencyKey

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
internal class SoakTally(
    val rounds: Int,
    val calls: Long,
    /** Reservations in the ledger. */
    val granted: Long,
    /** Calls without an answer. */
    val unknown: Long,
    val faults: Map<String, Int>,
    val broken: List<BrokenPromise>,
) {
    val kills: Int get() = faults.filterKeys { "killed" in it }.values.sum()

    /** Transactions that were committed while the connection was cut before the service learned of it. */
    val unacknowledgedCommits: Int get() = faults[ProtocolStep.COMMITTED.description] ?: 0
}

/**
 * Sells one event after the other through several services while these and their database are killed, and checks every
 * call against the ledger. Everything that it starts ends with it.
 */
internal class Soak(private val settings: SoakSettings) : AutoCloseable {
    private val folder: Path = Files.createTempDirectory("threadgauge-soak-")
    private val opened = ArrayList<AutoCloseable>()
    private val database: LedgerDatabase
    private val replicas: List<Replica>
    private val chaos: Chaos
    private var rounds = 0
    private var calls = 0L
    private var granted = 0L
    private var unknown = 0L
    private val broken = ArrayList<BrokenPromise>()

    init {
        try {
            database = LedgerDatabase(settings.home, folder, settings.database).also(opened::add)
            val proxy = FaultProxy(database.port, database.kind.newProtocol).also(opened::add)
            val redis = if (settings.needsRedis) RedisServer(settings.home, folder).also(opened::add) else null
            replicas = List(settings.replicas) {
                val offset = settings.clockOffsetOf(it)
                Replica(settings.home, folder, it + 1, database, proxy, settings.strategy, redis?.address, offset)
                    .also(opened::add)
            }
            replicas.forEach { it.awaitReady() }
            chaos = Chaos(replicas, database, proxy, redis, settings).also(opened::add)
        } catch (failure: Exception) {
            close()
            throw failure
        }
    }

    fun tally() = SoakTally(rounds, calls, granted, unknown, chaos.done, broken.toList())

    /** Sells one event to its end and checks all calls. */
    fun round() {
        rounds++
        // In every second round holds expire before many clients confirm or release them.
        val hold = if (rounds % 2 == 0) Duration.ofSeconds(2) else Duration.ofDays(1)
        val event = chaos.withoutFaults { replicas.first().open(settings.capacity, hold) }
        val urls = replicas.map { it.url }
        val seed = settings.seed * 1_000_003 + rounds * 1_009L
        val clients = List(settings.clients) { TicketClient(urls, event, Random(seed + it)) }
        val snapshots = Executors.newVirtualThreadPerTaskExecutor().use { threads ->
            val isOver = AtomicBoolean()
            val watching = threads.submit(Callable { watch(event, isOver) })
            val selling = clients.mapIndexed { index, client -> Callable { client.requestAll(index) } }
            try {
                threads.invokeAll(selling).forEach { it.get() }
            } finally {
                isOver.set(true)
            }
            watching.get()
        }
        chaos.withoutFaults {
            clients.forEach { it.retryUnresolved() }
            val left = clients.sumOf { it.unresolved.size }
            check(left == 0) { "$left requests have no known outcome, although all services are up" }
            // A planned fault may still happen, such as a connection cut at its next commit, so this is retried.
            val last = await("a snapshot at the end of the sale") { snapshot(event) }
            val entries = database.entries(event)
            checkPromises(History(settings.capacity, clients.flatMap { it.calls }, entries, snapshots + last))
        }
    }

    private fun TicketClient.requestAll(client: Int) = repeat(settings.requestsPerRound / settings.clients) { request ->
        if (chaos.failure == null) {
            requestSeats(IdempotencyKey.of("round-$rounds-client-$client-request-$request")!!)
        }
    }

    private fun checkPromises(history: History) {
        calls += history.calls.size
        granted += history.entries.size
        unknown += history.calls.count { it.endNanos == null }
        broken += brokenPromises(history)
    }

    private fun watch(event: Long, isOver: AtomicBoolean): List<LedgerSnapshot> = buildList {
        while (!isOver.get()) {
            snapshot(event)?.let(::add)
            Thread.sleep(WATCH_MILLIS)
        }
    }

    /** Null if no service answers. */
    private fun snapshot(event: Long): LedgerSnapshot? = replicas.firstNotNullOfOrNull { replica ->
        val request = HttpRequest.newBuilder(replica.url.resolve("/events/$event")).timeout(Duration.ofSeconds(2))
        val answer = runCatching { http.send(request.build(), HttpResponse.BodyHandlers.ofString()) }
            .getOrNull()?.takeIf { it.statusCode() == OK }
        answer?.body()?.let { body ->
            fun number(name: String) = Regex("\"$name\":(-?\\d+)").find(body)!!.groupValues[1].toInt()
            LedgerSnapshot(number("remaining"), number("held"), number("confirmed"))
        }
    }

    override fun close() {
        opened.asReversed().forEach { runCatching { it.close() } }
        folder.toFile().deleteRecursively()
    }

    private companion object {
        const val WATCH_MILLIS = 200L
        const val OK = 200
    }
}
