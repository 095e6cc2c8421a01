package threadgauge.tickets.faults

import java.net.URI
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.time.Duration
import java.util.Random
import java.util.concurrent.Callable
import java.util.concurrent.Executors
import java.util.concurrent.atomic.AtomicBoolean
import threadgauge.tickets.history.BrokenPromise
import threadgauge.tickets.history.History
import threadgauge.tickets.history.LedgerEntry
import threadgauge.tickets.history.LedgerSnapshot
import threadgauge.tickets.history.brokenPromises
import threadgauge.tickets.rules.IdempotencyKey

/** Services that sell, their ledger, and the faults that befall both. */
internal interface FaultySale {
    /** Where the services answer; a client picks one for each request. */
    val urls: List<URI>

    /** Why no fault can be injected any more, or none recovered from; null while all is well. */
    val failure: Exception?

    /** Runs [block] without faults, after all services are ready. */
    fun <T> withoutFaults(block: () -> T): T

    /** Opens the sale of [capacity] seats with holds of the length [hold]. Returns the number of its event. */
    fun open(capacity: Int, hold: Duration): Long

    /** All reservations of [event] in the ledger. */
    fun entries(event: Long): List<LedgerEntry>
}

/** What was sold in [SaleRounds] so far. */
internal class RoundsTally(
    val rounds: Int,
    val calls: Long,
    /** Reservations in the ledger. */
    val granted: Long,
    /** Calls without an answer. */
    val unknown: Long,
    val broken: List<BrokenPromise>,
)

/**
 * Sells one event of [capacity] seats after the other by [sale] to [clients], while faults befall it, and checks every
 * call against the ledger. The same [seed] gives the same requests. Belongs to one thread.
 */
internal class SaleRounds(
    private val sale: FaultySale,
    private val seed: Long,
    private val clients: Int,
    private val requestsPerRound: Int,
    private val capacity: Int,
) {
    private var rounds = 0
    private var calls = 0L
    private var granted = 0L
    private var unknown = 0L
    private val broken = ArrayList<BrokenPromise>()

    fun tally() = RoundsTally(rounds, calls, granted, unknown, broken.toList())

    /** Sells one event to its end and checks all calls. */
    fun round() {
        rounds++
        // In every second round holds expire before many clients confirm or release them.
        val hold = if (rounds % 2 == 0) Duration.ofSeconds(2) else Duration.ofDays(1)
        val event = sale.withoutFaults { sale.open(capacity, hold) }
        val own = seed * 1_000_003 + rounds * 1_009L
        val clients = List(clients) { TicketClient(sale.urls, event, Random(own + it)) }
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
        sale.withoutFaults {
            clients.forEach { it.retryUnresolved() }
            val left = clients.sumOf { it.unresolved.size }
            check(left == 0) { "$left requests have no known outcome, although all services are up" }
            // A planned fault may still happen, such as a connection cut at its next commit, so this is retried.
            val last = await("a snapshot at the end of the sale") { snapshot(event) }
            checkPromises(History(capacity, clients.flatMap { it.calls }, sale.entries(event), snapshots + last))
        }
    }

    private fun TicketClient.requestAll(client: Int) = repeat(requestsPerRound / clients) { request ->
        if (sale.failure == null) {
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
    private fun snapshot(event: Long): LedgerSnapshot? = sale.urls.firstNotNullOfOrNull { url ->
        val request = HttpRequest.newBuilder(url.resolve("/events/$event")).timeout(Duration.ofSeconds(2))
        val answer = runCatching { http.send(request.build(), HttpResponse.BodyHandlers.ofString()) }
            .getOrNull()?.takeIf { it.statusCode() == OK }
        answer?.body()?.let { body ->
            fun number(name: String) = Regex("\"$name\":(-?\\d+)").find(body)!!.groupValues[1].toInt()
            LedgerSnapshot(number("remaining"), number("held"), number("confirmed"))
        }
    }

    private companion object {
        const val WATCH_MILLIS = 200L
        const val OK = 200
    }
}
