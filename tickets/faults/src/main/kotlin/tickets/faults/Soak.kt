package threadgauge.tickets.faults

import threadgauge.tickets.history.BrokenPromise
import threadgauge.tickets.history.History
import threadgauge.tickets.history.LedgerSnapshot
import threadgauge.tickets.history.brokenPromises
import threadgauge.tickets.rules.IdempotencyKey
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.nio.file.Files
import java.nio.file.Path
import java.time.Duration
import java.util.Random
import java.util.concurrent.Callable
import java.util.concurrent.Executors
import java.util.concurrent.atomic.AtomicBoolean

/** How a [Soak] goes about. A round is the sale of one event. */
internal class SoakSettings(
    val home: Path,
    val replicas: Int = 3,
    val strategy: String = "batch",
    val database: LedgerKind = LedgerKind.POSTGRESQL,
    val seed: Long = 1,
    val clients: Int = 64,
    val requestsPerRound: Int = 20_000,
    val capacity: Int = 15_000,
    /** The longest pause between two faults. */
    val maxPauseMillis: Long = 2_800,
    /** For 16 faults of services, databases and connections, so many more are of the memory that services share, where there is one. */
    val redisFaults: Int = 4,
    /** The first service's clock is so far ahead of the database's, the second's so far behind, the third's is right, and so on. */
    val clockError: Duration = Duration.ofHours(1),
) {
    /** As the service knows its strategies by name. */
    val needsRedis: Boolean get() = strategy.startsWith("redis") || strategy == "queue" || strategy == "naive"

    fun clockOffsetOf(replica: Int): Duration = when (replica % 3) {
        0 -> clockError
        1 -> clockError.negated()
        else -> Duration.ZERO
    }
}

/** What a [Soak] has seen so far. */
internal class SoakTally(
    val rounds: Int,
    val calls: Long,
    /** Reservations in the books. */
    val granted: Long,
    /** Calls that no answer came to. */
    val unknown: Long,
    val faults: Map<String, Int>,
    val broken: List<BrokenPromise>,
) {
    val kills: Int get() = faults.filterKeys { "killed" in it }.values.sum()

    /** Transactions that were in the books, and whose service was not told so. */
    val unacknowledgedCommits: Int get() = faults[ProtocolStep.COMMITTED.words] ?: 0
}

/**
 * Sells one event after the other through several services while these and their database are killed, and judges every call that was made
 * against the books. Everything that it starts ends with it.
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
                val clockOffset = settings.clockOffsetOf(it)
                Replica(settings.home, folder, it + 1, database, proxy, settings.strategy, redis?.address, clockOffset).also(opened::add)
            }
            replicas.forEach { it.awaitReady() }
            chaos = Chaos(replicas, database, proxy, redis, settings).also(opened::add)
        } catch (failure: Exception) {
            close()
            throw failure
        }
    }

    fun tally() = SoakTally(rounds, calls, granted, unknown, chaos.done, broken.toList())

    /** Sells one event to its end and judges it. */
    fun round() {
        rounds++
        // Every second sale has holds that are over before many have decided.
        val hold = if (rounds % 2 == 0) Duration.ofSeconds(2) else Duration.ofDays(1)
        val event = chaos.withoutFaults { replicas.first().open(settings.capacity, hold) }
        val urls = replicas.map { it.url }
        val clients = List(settings.clients) { TicketClient(urls, event, Random(settings.seed * 1_000_003 + rounds * 1_009L + it)) }
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
            check(left == 0) { "$left wishes are not settled, though all services are well" }
            // One more fault may be due, such as a connection that is cut at its next commit.
            val last = await("a look at the end of the sale") { snapshot(event) }
            judge(History(settings.capacity, clients.flatMap { it.calls }, database.entries(event), snapshots + last))
        }
    }

    private fun TicketClient.requestAll(number: Int) = repeat(settings.requestsPerRound / settings.clients) { request ->
        if (chaos.failure == null) requestSeats(IdempotencyKey.of("round-$rounds-caller-$number-wish-$request")!!)
    }

    private fun judge(history: History) {
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

    /** Null where nobody answers. */
    private fun snapshot(event: Long): LedgerSnapshot? = replicas.firstNotNullOfOrNull { replica ->
        val request = HttpRequest.newBuilder(replica.url.resolve("/events/$event")).timeout(Duration.ofSeconds(2)).build()
        val answer = runCatching { http.send(request, HttpResponse.BodyHandlers.ofString()) }.getOrNull()?.takeIf { it.statusCode() == OK }
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
