package threadgauge.report.html.section

import kotlinx.html.FlowContent
import kotlinx.html.ThScope
import kotlinx.html.caption
import kotlinx.html.div
import kotlinx.html.h3
import kotlinx.html.table
import kotlinx.html.tbody
import kotlinx.html.td
import kotlinx.html.th
import kotlinx.html.thead
import kotlinx.html.tr
import kotlinx.serialization.Serializable
import threadgauge.model.judgement.SituationJudgement
import threadgauge.report.format.ReportContext
import threadgauge.report.format.number
import threadgauge.report.html.chart.scrollable
import threadgauge.report.html.markSign
import threadgauge.report.regression.title

/** What a stack promised in a situation that sells, and what the books say of it, all trials together. */
@Serializable
data class Books(
    val situation: String,
    val stack: String,
    /** Loads after which the books were read. */
    val trials: Int,
    /** Sold at one time, each with books of its own. */
    val events: Int,
    /** That there were to sell, in each trial, of all events together. */
    val seats: Long,
    /** Answers that said "reserved"; null where keys repeat, so that several speak of one reservation. */
    val acknowledged: Long?,
    val reservations: Long,
    val oversold: Long,
    /** Null where [acknowledged] is. */
    val lost: Long?,
    val duplicated: Long,
) {
    val isKept: Boolean get() = oversold == 0L && (lost ?: 0) == 0L && duplicated == 0L
}

/** Empty where nothing was sold. */
internal fun ReportContext.books(judged: SituationJudgement): List<Books> = judged.cells.mapNotNull { cell ->
    val audits =
        samples(cell.stack, judged.situation.name).mapNotNull { it.second.audit }.ifEmpty { return@mapNotNull null }
    fun sumUnlessUnknown(counts: List<Long?>) = if (null in counts) null else counts.sumOf { it!! }
    Books(
        judged.situation.name, cell.stack, audits.size, audits.first().events.size, audits.first().seats,
        sumUnlessUnknown(audits.map { it.acknowledged }), audits.sumOf { it.reservations },
        audits.sumOf { it.oversold },
        sumUnlessUnknown(audits.map { it.lost }), audits.sumOf { it.duplicated },
    )
}

/** "tickets-naive: PROMISES BROKEN: oversold 12, lost 0, duplicated 0. 300 reservations in 3 trials, 100 seats each" */
internal fun Books.words(): String {
    val lostText = lost?.let { number(it) } ?: NOT_COUNTED
    val found = "oversold ${number(oversold)}, lost $lostText, duplicated ${number(duplicated)}"
    val times = if (trials == 1) "1 trial" else "$trials trials"
    val sold = "${number(reservations)} reservations in $times, ${number(seats)} seats each${overEvents(events)}"
    return "$stack: PROMISES BROKEN: $found. $sold"
}

/**
 * Of those who kept their promises: "Nothing oversold, lost or duplicated over 20 events: 300 reservations of
 * tickets-batch, 299 of tickets-sql-row"
 */
internal fun List<Books>.words(): String {
    val over = overEvents(first().events)
    val nothing = if (all { it.lost != null }) "Nothing oversold, lost or duplicated$over" else
        "Nothing oversold or duplicated$over, and lost is $NOT_COUNTED, because keys repeat"
    val each = mapIndexed { index, it ->
        number(it.reservations) + (if (index == 0) " reservations" else "") + " of ${it.stack}"
    }
    return "$nothing: ${each.joinToString()}"
}

private fun overEvents(events: Int) = if (events == 1) "" else " over ${number(events)} events"

internal fun FlowContent.booksSection(subject: ReportContext, judged: SituationJudgement) {
    val all = subject.books(judged).ifEmpty { return }
    h3 { +"What the books say" }
    div("scroll") {
        scrollable("What the books say of ${judged.situation.name}")
        table {
            caption {
                +"Read from the database after each load, all trials together. Lost are reservations that were "
                +"promised and are not there. Duplicated are those made twice for one idempotency key. "
                +"A stack that breaks a promise cannot win."
                if (all.first().events > 1) {
                    +" Each load was over ${number(all.first().events)} events: seats that one has left do not make up "
                    +"for seats that another has sold too many."
                }
            }
            thead {
                tr {
                    th(scope = ThScope.col) { +"Stack" }
                    HEADINGS.forEach { th(scope = ThScope.col, classes = "number") { +it } }
                }
            }
            tbody {
                all.forEach { one ->
                    tr {
                        th(scope = ThScope.row) { markSign(subject.mark(one.stack)); +subject.title(one.stack) }
                        one.counts().forEach { (count, isBad) ->
                            td(if (isBad) "number missing" else "number") {
                                +(count?.let { number(it) } ?: NOT_COUNTED)
                            }
                        }
                    }
                }
            }
        }
    }
}

/** In the order of [HEADINGS], each with whether it must not be. */
private fun Books.counts(): List<Pair<Long?, Boolean>> = listOf(
    seats * trials to false, acknowledged to false, reservations to false,
    oversold to (oversold > 0), lost to ((lost ?: 0) > 0), duplicated to (duplicated > 0),
)

private val HEADINGS = listOf("Seats", "Promised", "Reservations", "Oversold", "Lost", "Duplicated")

/** Keys trial, so that several answers speak of one reservation. */
private const val NOT_COUNTED = "not counted"
