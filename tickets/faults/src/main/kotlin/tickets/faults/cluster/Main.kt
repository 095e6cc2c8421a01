package threadgauge.tickets.faults.cluster

import java.net.URI
import java.sql.DriverManager
import java.time.Duration
import java.util.Random
import kotlin.system.exitProcess
import kotlin.time.Duration.Companion.minutes
import kotlin.time.TimeSource
import threadgauge.tickets.faults.FaultLoop
import threadgauge.tickets.faults.FaultySale
import threadgauge.tickets.faults.LedgerKind
import threadgauge.tickets.faults.LedgerReader
import threadgauge.tickets.faults.SaleRounds
import threadgauge.tickets.faults.await
import threadgauge.tickets.faults.killsOf
import threadgauge.tickets.faults.openEvent
import threadgauge.tickets.history.LedgerEntry

/**
 * `URL CALLS KILLS UPDATES MINUTES`: sells in a cluster through its service at URL, until there were so many calls,
 * kills and rolling updates, for MINUTES at most; see `benchmarks/tickets-cluster/run`.
 */
fun main(arguments: Array<String>) {
    val numbers = arguments.drop(1).map { it.toIntOrNull()?.takeIf { number -> number in 0..MOST } }
    if (arguments.size != WORDS || null in numbers) {
        System.err.println("expected: URL CALLS KILLS UPDATES MINUTES, such as http://10.99.0.1:30080 100000 30 5 60")
        exitProcess(EXIT_USAGE)
    }
    val (calls, kills, updates, minutes) = numbers.map { it!! }
    val seed = System.nanoTime()
    val kubectl = Kubectl("tickets")
    println("seed $seed, $CLIENTS clients, up to ${PAUSE_MILLIS.last / 1e3} s between two faults")
    val random = Random(seed)
    val isKept = FaultLoop(ClusterFaults(kubectl, random), random, PAUSE_MILLIS).use { faults ->
        val rounds = SaleRounds(ClusterSale(kubectl, URI(arguments[0]), faults), seed, CLIENTS, PER_ROUND, CAPACITY)
        val watching = ReplicasSeen(kubectl)
        val began = TimeSource.Monotonic.markNow()
        fun missing(): List<String> = buildList {
            val done = faults.done
            if (rounds.tally().calls < calls) add("calls")
            if (killsOf(done) < kills) add("kills")
            if ((done[ClusterFaults.UPDATES] ?: 0) < updates) add("rolling updates")
        }
        while (missing().isNotEmpty() && began.elapsedNow() < minutes.minutes) {
            rounds.round()
            val sold = rounds.tally()
            println(
                "round ${sold.rounds}, ${began.elapsedNow().inWholeSeconds} s: ${sold.calls} calls, ${sold.granted} " +
                    "granted, ${sold.unknown} without an answer, ${faults.done}, services ${watching.seen}, " +
                    "${sold.broken.size} promises broken",
            )
        }
        watching.close()
        val sold = rounds.tally()
        sold.broken.forEach { println("${it.promise}: ${it.description}") }
        val left = missing()
        println(
            "${sold.calls} calls, ${sold.unknown} of them without an answer, ${killsOf(faults.done)} kills, " +
                "${faults.done[ClusterFaults.UPDATES] ?: 0} rolling updates, ${watching.seen} services, " +
                "${sold.broken.size} promises broken",
        )
        if (left.isNotEmpty()) println("$minutes minutes were too few for: ${left.joinToString()}")
        sold.broken.isEmpty() && left.isEmpty()
    }
    exitProcess(if (isKept) 0 else 1)
}

/** The services of a cluster behind [url], and its own database. */
private class ClusterSale(
    private val kubectl: Kubectl,
    private val url: URI,
    private val faults: FaultLoop,
) : FaultySale {
    private val token = secret("admin-token")
    private val password = secret("database-password")

    /** A new pod of the database has a new address. */
    private val reader = LedgerReader(LedgerKind.POSTGRESQL.clock) {
        val address = await("the address of the database") {
            kubectl.pods("postgresql").singleOrNull { it.isReady }?.address
        }
        DriverManager.getConnection("jdbc:postgresql://$address:5432/tickets", "tickets", password)
    }
    override val urls: List<URI> = listOf(url)
    override val failure get() = faults.failure

    override fun <T> withoutFaults(block: () -> T): T = faults.withoutFaults(block)

    override fun open(capacity: Int, hold: Duration): Long = openEvent(url, token, capacity, hold)

    override fun entries(event: Long): List<LedgerEntry> = reader.entries(event)

    private fun secret(key: String) =
        java.util.Base64.getDecoder().decode(kubectl.value("secret/tickets", ".data.$key")).decodeToString()
}

/** The numbers of services that the autoscaler wanted, in order, as they were seen every few seconds. */
private class ReplicasSeen(private val kubectl: Kubectl) : AutoCloseable {
    @Volatile
    private var isOver = false
    private val numbers = ArrayList<String>()
    private val thread = Thread.ofPlatform().name("replicas").daemon().start {
        while (!isOver) {
            val now = runCatching { kubectl.value("deployment/tickets", ".spec.replicas") }.getOrNull()
            synchronized(numbers) { if (!now.isNullOrEmpty() && numbers.lastOrNull() != now) numbers += now }
            Thread.sleep(LOOK_MILLIS)
        }
    }

    val seen: String get() = synchronized(numbers) { numbers.joinToString(" → ") }

    override fun close() {
        isOver = true
        thread.join()
    }

    private companion object {
        const val LOOK_MILLIS = 5_000L
    }
}

private const val CLIENTS = 32
private const val PER_ROUND = 10_000
private const val CAPACITY = 8_000
private val PAUSE_MILLIS = 500L..5_000L
private const val MOST = 100_000_000
private const val WORDS = 5
private const val EXIT_USAGE = 64
