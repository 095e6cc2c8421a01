package threadgauge.run.sale

import java.io.IOException
import java.nio.file.Path
import java.time.Duration
import kotlin.math.ceil
import threadgauge.model.EventsOnSale
import threadgauge.model.SaleAudit
import threadgauge.model.SaleTerms
import threadgauge.model.Sample
import threadgauge.model.Situation
import threadgauge.model.failure.SaleViolation
import threadgauge.model.failure.TargetFault
import threadgauge.model.hasOwnKeys
import threadgauge.model.request.EVENT
import threadgauge.target.TargetFailed

/**
 * Opens the events that one process sells. Each load gets events of its own, so that the ledger of an event shows the
 * outcome of that load alone. Belongs to the run's thread.
 */
internal class SaleEvents(private val desk: SaleClient, private val auditing: SaleAuditor, private val log: Path) {
    /** [events] are on sale; [asked] is the situation with their ids filled in. */
    class Open(val events: List<Long>, val asked: Situation)

    /** Opens the events of [situation]. Throws [TargetFailed] if one does not open. */
    fun open(situation: Situation): Open = open(situation) { terms, _ -> terms.seats }

    /**
     * The same for an iteration of warm-up of [nanos]: with enough seats that no event sells out in it, unless it has
     * none at all.
     */
    fun openForWarmUp(situation: Situation, nanos: Long): Open {
        val enough = SEATS_OF_A_SECOND * ceil(nanos / 1e9)
        return open(situation) { terms, index ->
            // Twice the expected share, because events are drawn at random.
            if (terms.seats == 0) 0 else maxOf(terms.seats, minOf(enough, 2 * enough * terms.shareOf(index)).toInt())
        }
    }

    private fun open(situation: Situation, seats: (SaleTerms, Int) -> Int): Open {
        val terms = situation.sale ?: SaleTerms(0)
        val events = try {
            List(terms.events) { desk.open(situation.name, seats(terms, it), HOLD) }
        } catch (failure: NoEvent) {
            throw TargetFailed(failure.fault, log)
        }
        // A request that names no event is for the newest one, which a service looks up once a second.
        if (EVENT !in situation.request.path) Thread.sleep(RENEWED_WITHIN_MILLIS)
        return Open(events, situation.forEvents(events))
    }

    /** [sample] with the ledgers of [sale], to be called after its load. Throws [TargetFailed]. */
    fun audited(sale: Open, sample: Sample): Sample {
        val acknowledged = sample.statuses[SaleClient.CREATED] ?: 0
        val books = auditing.books(sale.events)
        return sample.copy(
            audit = SaleAudit(books.first(), acknowledged.takeIf { sale.asked.request.hasOwnKeys }, books.drop(1)),
        )
    }

    /**
     * Checks a sale without concurrency: one caller after the other requests the last seats. Returns what the service
     * does wrong, empty for a correct sale. Concurrent requests are checked by the audit after each load. Throws
     * [TargetFailed] if the ledger cannot be read.
     */
    fun violations(): List<SaleViolation> = try {
        val event = desk.open("contract", SEATS_OF_CONTRACT, HOLD)
        val first = desk.reserve(event, "$event-1")
        val second = desk.reserve(event, "$event-2")
        val third = desk.reserve(event, "$event-3")
        val books = auditing.books(listOf(event)).single()
        listOfNotNull(
            SaleViolation.SellsNothing(told(first)).takeIf { first.first != SaleClient.CREATED },
            SaleViolation.NotTheLast(told(second)).takeIf { second.first != SaleClient.CREATED },
            SaleViolation.NotSoldOut(told(third)).takeIf { third.first != SaleClient.CONFLICT },
            SaleViolation.Ledger(books.reservations, books.taken)
                .takeIf { books.reservations != 2L || books.taken != 2L || books.seats != SEATS_OF_CONTRACT.toLong() },
        )
    } catch (failure: NoEvent) {
        listOf(SaleViolation.NotAsked(failure.fault))
    } catch (failure: IOException) {
        listOf(SaleViolation.NotAsked(TargetFault.NoEvent(error = failure.message ?: failure.toString())))
    }

    private fun told(answer: Pair<Int, String>) = "${answer.first} ${answer.second.take(MAX_SHOWN_LENGTH)}"
}

/**
 * [Situation.request] for [events]. The id of a single event is filled in here; of several, the load agent draws one
 * for each request.
 */
internal fun Situation.forEvents(events: List<Long>): Situation {
    if (events.size > 1) return copy(request = request.copy(events = EventsOnSale(events, sale?.hot)))
    fun filled(text: String) = text.replace(EVENT, "${events.single()}")
    val headers = request.headers.mapValues { filled(it.value) }
    return copy(
        request = request.copy(path = filled(request.path), headers = headers, body = request.body?.let(::filled)),
    )
}

/** Longer than any load, so that no hold expires while it is counted. */
private val HOLD: Duration = Duration.ofHours(6)

/** More than are sold in a second here. Not many more, because some implementations write a row per seat. */
private const val SEATS_OF_A_SECOND = 100_000
private const val SEATS_OF_CONTRACT = 2
private const val MAX_SHOWN_LENGTH = 200
private const val RENEWED_WITHIN_MILLIS = 1_100L
