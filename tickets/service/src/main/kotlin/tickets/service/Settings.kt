package threadgauge.tickets.service

import java.time.Duration
import kotlin.time.toKotlinDuration
import org.springframework.boot.context.properties.ConfigurationProperties
import threadgauge.tickets.batch.BatchSettings
import threadgauge.tickets.room.WaitingRoomSettings
import threadgauge.tickets.sale.EventServiceSettings
import threadgauge.tickets.service.store.LedgerAddress
import threadgauge.tickets.single.SingleSettings

/**
 * All settings, each as the argument `--tickets.…` or the environment variable `TICKETS_…`. [DeprecatedSettings]
 * accepts older names.
 */
@ConfigurationProperties("tickets")
data class Settings(
    val database: Database,
    /** One of [Strategies.ALL]. */
    val strategy: String = Strategies.BATCH,
    /** A Redis that services share, such as `redis://127.0.0.1:6379`. Only some strategies need one. */
    val redis: String? = null,
    val grid: Grid = Grid(),
    /** Bearer token for opening events. Without one, opening is disabled. */
    val adminToken: String? = null,
    val queue: Queue = Queue(),
    val admission: Room = Room(),
    /** How long the service rehearses at most before it is ready, up to five minutes; zero for no rehearsal. */
    val rehearsal: Duration = Duration.ofSeconds(10),
    /** Maximum time from the first byte of a request to its last. */
    val requestTimeout: Duration = Duration.ofSeconds(10),
) {
    init {
        if (rehearsal.toKotlinDuration() > Rehearsal.MAX_DURATION) {
            throw StartupError(
                "tickets.rehearsal is $rehearsal, more than ${Rehearsal.MAX_DURATION}",
                "Set tickets.rehearsal to ${Rehearsal.MAX_DURATION} or less.",
            )
        }
    }

    data class Database(
        val url: String,
        val user: String,
        val password: String,
        /** Connections for granting seats. */
        val connections: Int = 8,
        /** Further connections for reading, confirming and releasing. */
        val eventConnections: Int = 4,
    ) {
        /** A name common to all services with this ledger: a hash of its address, which does not reveal it. */
        val sale get() = "tickets-%08x".format(url.substringBefore('?').hashCode())

        override fun toString() = "${LedgerAddress(url, user, password)}"
    }

    /** Hosts, with or without port, of the other services in the Hazelcast cluster. Only for the strategy `grid`. */
    data class Grid(val members: List<String> = listOf("127.0.0.1"))

    data class Queue(
        /** See [BatchSettings.maxQueued]. */
        val max: Int = 10_000,
        /** See [BatchSettings.maxBatch]. */
        val batch: Int = 256,
        /** See [BatchSettings.timeout]. */
        val timeout: Duration = Duration.ofSeconds(5),
    ) {
        val settings get() = BatchSettings(maxQueued = max, maxBatch = batch, timeout = timeout.toKotlinDuration())

        /** For strategies that sell one by one, with so many [connections] to the ledger. */
        fun single(connections: Int) =
            SingleSettings(maxConcurrent = connections, maxQueued = max, timeout = timeout.toKotlinDuration())
    }

    /** The waiting room before the sale. */
    data class Room(
        /** Clients per second that one service admits for one event; 0, the default, for no waiting room. */
        val rate: Double = 0.0,
        /** Must be the same for all services that sell the same events. */
        val secret: String? = null,
    ) {
        /** Null if there is no waiting room. Throws [StartupError] if the settings are invalid. */
        val settings: WaitingRoomSettings?
            get() = if (rate == 0.0) null else try {
                WaitingRoomSettings(rate, secret.orEmpty())
            } catch (wrong: IllegalArgumentException) {
                throw StartupError(wrong.message!!, "Check tickets.admission.rate and tickets.admission.secret.")
            }

        override fun toString() = "Room($rate/s)"
    }

    /** The address of the ledger. A transaction that is idle for the timeout of a request is rolled back. */
    val ledger
        get() = LedgerAddress(database.url, database.user, database.password, queue.timeout.toKotlinDuration())

    /** The same queue limit and timeout as for granting. Half of the connections are for reads, half for writes. */
    val eventService
        get() = EventServiceSettings(
            maxConcurrent = (database.eventConnections / 2).coerceAtLeast(1),
            maxQueued = queue.max,
            timeout = queue.timeout.toKotlinDuration(),
        )

    override fun toString() = "Settings($database, $strategy, $queue)"
}
