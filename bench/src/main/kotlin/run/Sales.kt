package threadgauge.run

import threadgauge.model.EVENT
import threadgauge.model.SaleAudit
import threadgauge.model.Sample
import threadgauge.model.Situation
import threadgauge.model.hasOwnKeys
import threadgauge.target.TargetFailed
import java.io.IOException
import java.nio.file.Path
import java.time.Duration
import kotlin.math.ceil

/**
 * The events of one process that sells: one for each load, so that what is in the books of an event is what came of that load alone.
 * Belongs to the run's thread.
 */
internal class Sales(private val desk: SaleDesk, private val auditing: Auditing, private val log: Path) {
    /** [event] is on sale, and [asked] is the situation with its number put in. */
    class Open(val event: Long, val asked: Situation)

    /** Throws [TargetFailed] where no event opens. */
    fun open(situation: Situation): Open = open(situation, situation.sale?.seats ?: 0)

    /** For a stretch of warm-up of [nanos], in which an event that has seats at all does not sell out. */
    fun openForWarmUp(situation: Situation, nanos: Long): Open {
        val enough = (SEATS_OF_A_SECOND * ceil(nanos / 1e9)).toInt()
        return open(situation, (situation.sale?.seats ?: 0).let { if (it == 0) 0 else maxOf(it, enough) })
    }

    private fun open(situation: Situation, seats: Int): Open {
        val event = try {
            desk.open(situation.name, seats, HOLD)
        } catch (failure: IOException) {
            throw TargetFailed(failure.message ?: failure.toString(), log)
        }
        // Who does not name the event gets the newest one, which a service looks up once in a second.
        if (EVENT !in situation.request.path) Thread.sleep(RENEWED_WITHIN_MILLIS)
        return Open(event, situation.forEvent(event))
    }

    /** What the books say of [sale] after the load that [sample] is of. */
    fun audited(sale: Open, sample: Sample): Sample {
        val acknowledged = sample.statuses[SaleDesk.CREATED] ?: 0
        return sample.copy(audit = SaleAudit(auditing.books(sale.event), acknowledged.takeIf { sale.asked.request.hasOwnKeys }))
    }

    /**
     * What the service does wrong when one caller after the other asks for the last seats; empty where it is a sale. What it does when many
     * ask at once is for the books to say after each load.
     */
    fun violations(): List<String> = try {
        val event = desk.open("contract", SEATS_OF_CONTRACT, HOLD)
        val first = desk.reserve(event, "$event-1")
        val second = desk.reserve(event, "$event-2")
        val third = desk.reserve(event, "$event-3")
        val books = auditing.books(event)
        listOfNotNull(
            "it does not sell: ${told(first)}".takeIf { first.first != SaleDesk.CREATED },
            "it does not sell the last seat: ${told(second)}".takeIf { second.first != SaleDesk.CREATED },
            "it does not say that nothing is left: ${told(third)}".takeIf { third.first != SaleDesk.CONFLICT },
            "its books hold ${books.reservations} reservations of ${books.taken} seats instead of 2 of 2"
                .takeIf { books.reservations != 2L || books.taken != 2L || books.seats != SEATS_OF_CONTRACT.toLong() },
        )
    } catch (failure: IOException) {
        listOf(failure.message ?: failure.toString())
    }

    private fun told(answer: Pair<Int, String>) = "${answer.first} ${answer.second.take(LONGEST_TOLD)}"
}

/** [Situation.request] with the number of [event] in the places that are meant for it. */
internal fun Situation.forEvent(event: Long): Situation {
    fun filled(text: String) = text.replace(EVENT, "$event")
    val headers = request.headers.mapValues { filled(it.value) }
    return copy(request = request.copy(path = filled(request.path), headers = headers, body = request.body?.let(::filled)))
}

/** Longer than any load, so that no hold ends while it is counted. */
private val HOLD: Duration = Duration.ofHours(6)

/** More than are sold here in a second; not many more, because some ways to sell write a row for each. */
private const val SEATS_OF_A_SECOND = 100_000
private const val SEATS_OF_CONTRACT = 2
private const val LONGEST_TOLD = 200
private const val RENEWED_WITHIN_MILLIS = 1_100L
