package threadgauge.wording.history

import java.util.Locale
import kotlin.math.abs
import threadgauge.model.judgement.compare.History
import threadgauge.model.judgement.compare.HistoryChange
import threadgauge.model.judgement.compare.HistoryEvent
import threadgauge.model.judgement.compare.HistoryRun
import threadgauge.model.judgement.compare.HistorySeries
import threadgauge.model.judgement.compare.LeftOutReason
import threadgauge.model.judgement.compare.LeftOutRun
import threadgauge.model.judgement.compare.OddRun
import threadgauge.model.judgement.compare.SoftwarePart
import threadgauge.stats.FEWEST
import threadgauge.wording.counted
import threadgauge.wording.percent
import threadgauge.wording.subject
import threadgauge.wording.words

/** "main, 2026-11-26 20:38 UTC", or the record's name where it was not saved under one. A day has many builds. */
internal val HistoryRun.label: String
    get() = savedAs?.let { "$it, ${startedAt.take(MINUTE).replace('T', ' ')} UTC" } ?: record

/** What the history shows, in one sentence. */
internal fun History.words(): String {
    val changed = series.filter { it.changes.isNotEmpty() }
    val worse = changed.count { !it.changes.last().isBetter }
    val better = changed.size - worse
    val odd = series.sumOf { it.odd.size }
    return when {
        runs.isEmpty() -> "No run of $experiment has figures."
        runs.size < FEWEST ->
            "${counted(runs.size.toLong(), "run")}: a change is told from noise from $FEWEST runs on."
        changed.isEmpty() && odd > 0 ->
            "No figure changed over ${counted(runs.size.toLong(), "run")} for longer than one run."
        changed.isEmpty() -> "No figure changed over ${counted(runs.size.toLong(), "run")}."
        else -> listOfNotNull(
            "$worse became worse".takeIf { worse > 0 }, "$better became better".takeIf { better > 0 },
        ).joinToString(" and ", "Of ${counted(series.size.toLong(), "figure")}, ", ".")
    }
}

/** A sentence for a reader who sees nothing else. */
internal fun History.words(series: HistorySeries, change: HistoryChange): String =
    "${series.subject} is ${change.inShort()} since ${runs[change.at].label}."

private val HistorySeries.subject: String
    get() = of.subject(stack, situation, step).replaceFirstChar { it.uppercase() }

/** The cell, or the step in it, as a heading: "shop, orders" or "shop, orders, buy.pay". */
internal val HistorySeries.cell: String get() = listOfNotNull(stack, situation, step?.words).joinToString()

/** About a single run; of the newest, nobody knows yet whether it stays so. */
internal fun History.words(series: HistorySeries, odd: OddRun): String {
    val by = percent(abs(odd.off)) + if (odd.off > 0) " above" else " below"
    val than = when (odd.at) {
        runs.lastIndex -> "$by the runs before it; the next run will tell whether it stays so"
        else -> "$by the runs around it"
    }
    return "${series.subject}, ${runs[odd.at].label}: $than."
}

/** "0.91 times". */
internal val HistoryChange.times: String get() = "%.2f times".format(Locale.ROOT, ratio)

/** "worse, 0.91 times (0.89 to 0.93)". */
internal fun HistoryChange.inShort(): String {
    val interval = "(%.2f to %.2f)".format(Locale.ROOT, low, high)
    return (if (isBetter) "better" else "worse") + ", $times $interval"
}

/** What else changed in the run of [label]. */
internal fun HistoryEvent.words(label: String): String = when (this) {
    is HistoryEvent.Software -> "${part.words} changed from $before to $after with $label."
    is HistoryEvent.MachineSpeed ->
        "The machine itself changed with $label: the load agent with its internal server is " +
            "%.2f times as fast.".format(Locale.ROOT, ratio)
}

private val SoftwarePart.words: String
    get() = when (this) {
        SoftwarePart.JAVA -> "Java"
        SoftwarePart.KERNEL -> "The kernel"
        SoftwarePart.THREADGAUGE -> "Threadgauge"
    }

internal fun LeftOutRun.words(): String = "$record: " + when (val why = reason) {
    is LeftOutReason.OtherMachine ->
        "measured on ${why.machine.cpu} with ${counted(why.machine.cores.toLong(), "core")}, the newest on " +
            "${why.newest.cpu} with ${counted(why.newest.cores.toLong(), "core")}"
    LeftOutReason.AskedOtherwise -> "has no figure that the newest run has under the same load"
    LeftOutReason.NoFigures -> "has no figures"
}

/** Characters of a minute at the start of an ISO 8601 instant. */
private const val MINUTE = 16
