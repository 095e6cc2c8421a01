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
import threadgauge.model.judgement.CellJudgement
import threadgauge.model.judgement.SituationJudgement
import threadgauge.report.format.ReportContext
import threadgauge.report.format.count
import threadgauge.report.format.number
import threadgauge.report.html.chart.scrollable
import threadgauge.report.html.markSign
import threadgauge.report.regression.title
import threadgauge.wording.counted

/** What a stack acknowledged in a situation with a sale, and what its ledger shows, over all trials. */
@Serializable
data class LedgerSummary(
    val situation: String,
    val stack: String,
    /** Loads after which the ledger was read. */
    val trials: Int,
    /** Events on sale at the same time, each with rows of its own in the ledger. */
    val events: Int,
    /** Seats on sale in each trial, over all events. */
    val seats: Long,
    /** Answers "reserved". Null where keys repeat, because several answers can then be about one reservation. */
    val acknowledged: Long?,
    val reservations: Long,
    val oversold: Long,
    /** Null where [acknowledged] is. */
    val lost: Long?,
    val duplicated: Long,
) {
    val isKept: Boolean get() = oversold == 0L && (lost ?: 0) == 0L && duplicated == 0L
}

/** Empty where the situation has no sale. */
internal fun ReportContext.ledgerSummaries(judged: SituationJudgement): List<LedgerSummary> =
    judged.cells.mapNotNull { ledgerSummary(judged, it) }

private fun ReportContext.ledgerSummary(judged: SituationJudgement, cell: CellJudgement): LedgerSummary? {
    val audits =
        samples(cell.stack, judged.situation.name).mapNotNull { it.second.audit }.ifEmpty { return null }
    fun sumUnlessUnknown(counts: List<Long?>) = if (null in counts) null else counts.sumOf { it!! }
    return LedgerSummary(
        judged.situation.name, cell.stack, audits.size, audits.first().events.size, audits.first().seats,
        sumUnlessUnknown(audits.map { it.acknowledged }), audits.sumOf { it.reservations },
        audits.sumOf { it.oversold },
        sumUnlessUnknown(audits.map { it.lost }), audits.sumOf { it.duplicated },
    )
}

/** "tickets-naive: PROMISES BROKEN: oversold 12, lost 0, duplicated 0. 300 reservations in 3 trials, 100 seats each" */
internal fun LedgerSummary.words(): String {
    val lostText = lost?.let { number(it) } ?: NOT_COUNTED
    val found = "oversold ${number(oversold)}, lost $lostText, duplicated ${number(duplicated)}"
    val made = counted(reservations, "reservation")
    val sold = "$made in ${count(trials, "trial")}, ${counted(seats, "seat")} each${overEvents(events)}"
    return "$stack: PROMISES BROKEN: $found. $sold"
}

/**
 * Of stacks that kept their promises: "Nothing oversold, lost or duplicated over 20 events: 300 reservations of
 * tickets-batch, 299 of tickets-sql-row"
 */
internal fun List<LedgerSummary>.words(): String {
    val over = overEvents(first().events)
    val nothing = if (all { it.lost != null }) "Nothing oversold, lost or duplicated$over" else
        "Nothing oversold or duplicated$over, and lost is $NOT_COUNTED, because keys repeat"
    val each = mapIndexed { index, it ->
        (if (index == 0) counted(it.reservations, "reservation") else number(it.reservations)) + " of ${it.stack}"
    }
    return "$nothing: ${each.joinToString()}"
}

private fun overEvents(events: Int) = if (events == 1) "" else " over ${number(events)} events"

internal fun FlowContent.ledgerSection(subject: ReportContext, judged: SituationJudgement) {
    val all = subject.ledgerSummaries(judged).ifEmpty { return }
    h3 { +"Ledger after the sale" }
    div("scroll") {
        scrollable("Ledger after ${judged.situation.name}")
        table {
            caption {
                +"Read from the database after each load, over all trials. Lost: acknowledged reservations that are "
                +"missing. Duplicated: reservations made twice for one idempotency key. "
                +"A stack that breaks a promise cannot win."
                if (all.first().events > 1) {
                    +" Each load was over ${number(all.first().events)} events. Free seats of one event do not make up "
                    +"for oversold seats of another."
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

/** In the order of [HEADINGS], each with whether it breaks a promise. */
private fun LedgerSummary.counts(): List<Pair<Long?, Boolean>> = listOf(
    seats * trials to false, acknowledged to false, reservations to false,
    oversold to (oversold > 0), lost to ((lost ?: 0) > 0), duplicated to (duplicated > 0),
)

private val HEADINGS = listOf("Seats", "Acknowledged", "Reservations", "Oversold", "Lost", "Duplicated")

/** Keys repeat, so that several answers can be about one reservation. */
private const val NOT_COUNTED = "not counted"
