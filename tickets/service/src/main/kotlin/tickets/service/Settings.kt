package threadgauge.tickets.service

import org.springframework.boot.context.properties.ConfigurationProperties
import threadgauge.tickets.batch.BatchSettings
import threadgauge.tickets.room.WaitingRoomSettings
import threadgauge.tickets.sale.EventServiceSettings
import threadgauge.tickets.service.store.LedgerAddress
import threadgauge.tickets.service.store.StartupError
import threadgauge.tickets.single.SingleSettings
import java.time.Duration
import kotlin.time.toKotlinDuration

/** What can be set, each as `--tickets.…` or in the environment as `TICKETS_…`. */
@ConfigurationProperties("tickets")
data class Settings(
    val database: Database,
    /** Name of the way to sell, one of [Strategies]. */
    val strategy: String = Strategies.BATCH,
    /** Where services share fast memory, such as `redis://127.0.0.1:6379`. Needed by some strategies. */
    val redis: String? = null,
    val grid: Grid = Grid(),
    /** Who sends it as a bearer token may open events. Without one nobody may. */
    val adminToken: String? = null,
    val queue: Queue = Queue(),
    val admission: Room = Room(),
    /** Longest time that the service rehearses before it calls itself ready, up to five minutes; zero for none. */
    val rehearsal: Duration = Duration.ofSeconds(10),
    /** Longest time from the first byte of a request to its last. */
    val requestTimeout: Duration = Duration.ofSeconds(10),
) {
    init {
        if (rehearsal.toKotlinDuration() > Rehearsal.MAX_DURATION) {
            throw StartupError("a rehearsal of $rehearsal is too long", "Set tickets.rehearsal to ${Rehearsal.MAX_DURATION} or less.")
        }
    }

    /** [connections] are for those who sell, and as many more as [eventConnections] for those who look, confirm and give back. */
    data class Database(
        val url: String,
        val user: String,
        val password: String,
        val connections: Int = 8,
        val eventConnections: Int = 4,
    ) {
        /** Names what services with the same books share: a number for their place, which does not tell it. */
        val sale get() = "tickets-%08x".format(url.substringBefore('?').hashCode())

        override fun toString() = "${LedgerAddress(url, user, password)}"
    }

    /** Hosts, with or without ports, on which services look for each other that share a grid. For the strategy of that name. */
    data class Grid(val members: List<String> = listOf("127.0.0.1"))

    /** See [BatchSettings]. */
    data class Queue(val max: Int = 10_000, val batch: Int = 256, val timeout: Duration = Duration.ofSeconds(5)) {
        val settings get() = BatchSettings(maxQueued = max, maxBatch = batch, timeout = timeout.toKotlinDuration())

        /** For strategies that sell one by one, over so many [connections] to the books. */
        fun single(connections: Int) =
            SingleSettings(maxConcurrent = connections, maxQueued = max, timeout = timeout.toKotlinDuration())
    }

    /**
     * A waiting room before the sale. [rate] callers are let in each second by one service for one event; 0, the usual value, opens the
     * door to all. [secret] must be the same for all services that sell the same events.
     */
    data class Room(val rate: Double = 0.0, val secret: String? = null) {
        /** Null where the door is open. Throws [StartupError] for a room that cannot be. */
        val settings: WaitingRoomSettings?
            get() = if (rate == 0.0) null else try {
                WaitingRoomSettings(rate, secret.orEmpty())
            } catch (wrong: IllegalArgumentException) {
                throw StartupError(wrong.message!!, "Look at tickets.admission.rate and tickets.admission.secret.")
            }

        override fun toString() = "Room($rate/s)"
    }

    /** Where the books are, with the patience of the sale. */
    val ledger get() = LedgerAddress(database.url, database.user, database.password, queue.timeout.toKotlinDuration())

    /** The desk is as patient as the sale, and as many may wait before it. */
    val events get() = EventServiceSettings(
        maxConcurrent = (database.eventConnections / 2).coerceAtLeast(1), maxQueued = queue.max, timeout = queue.timeout.toKotlinDuration(),
    )

    override fun toString() = "Settings($database, $strategy, $queue)"
}
