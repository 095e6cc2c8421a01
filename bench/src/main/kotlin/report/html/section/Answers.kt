package threadgauge.report.html.section

import kotlinx.html.FlowContent
import kotlinx.html.TD
import kotlinx.html.ThScope
import kotlinx.html.caption
import kotlinx.html.div
import kotlinx.html.h3
import kotlinx.html.span
import kotlinx.html.table
import kotlinx.html.tbody
import kotlinx.html.td
import kotlinx.html.th
import kotlinx.html.thead
import kotlinx.html.tr
import kotlinx.serialization.Serializable
import threadgauge.model.judgement.SituationJudgement
import threadgauge.model.request.Request
import threadgauge.model.request.TlsSession
import threadgauge.report.format.NOTHING
import threadgauge.report.format.ReportContext
import threadgauge.report.format.number
import threadgauge.report.format.percent
import threadgauge.report.html.chart.scrollable
import threadgauge.report.html.markSign
import threadgauge.report.regression.title

/** Content of the correct answers of a stack in a situation, over all trials. */
@Serializable
data class Answers(
    val situation: String,
    val stack: String,
    /** Correct answers. */
    val answered: Long,
    /** How many of them had each value of the counted field. */
    val counted: Map<String, Long>,
    /** Bytes of their bodies, as they were sent. */
    val bodyBytes: Long,
    /** Bytes of their bodies after unpacking. */
    val unpackedBytes: Long,
    /** What agent and target agreed on for encryption, each agreement once; empty without encryption. */
    val tls: List<TlsSession> = emptyList(),
    /** How often a request was sent once more because the server had not processed it. */
    val repeated: Long = 0,
)

/** Null where nothing was measured. */
internal fun ReportContext.answers(stack: String, situation: String): Answers? {
    val samples = samples(stack, situation).map { it.second }.ifEmpty { return null }
    val counted = samples.flatMap { it.counted.entries }.groupBy({ it.key }, { it.value }).mapValues { it.value.sum() }
    return Answers(
        situation, stack, samples.sumOf { it.counts.answered }, counted,
        samples.sumOf { it.received.bodyBytes }, samples.sumOf { it.received.unpackedBytes },
        samples.flatMap { it.tls }.distinct(), samples.sumOf { it.counts.repeated },
    )
}

/** Only where a field was counted or gzip was requested. */
internal fun ReportContext.notableAnswers(judged: SituationJudgement): List<Answers> {
    val answers = judged.cells.mapNotNull { answers(it.stack, judged.situation.name) }
    return if (judged.situation.request.gzip || answers.any { it.counted.isNotEmpty() }) answers else emptyList()
}

/** "spring-mvc: outcome granted 900 (75 %), taken 300 (25 %); 310 bytes each as sent, 1,240 unpacked" */
internal fun Answers.words(request: Request): String {
    val values = shares(mostFrequent(listOf(this)))
        .joinToString { (value, amount, share) -> "$value ${number(amount)} ($share)" }
    val sizes = "${bytesEach(bodyBytes)} bytes per answer as sent, ${bytesEach(unpackedBytes)} unpacked"
    val parts = listOfNotNull("${request.count} $values".takeIf { counted.isNotEmpty() }, sizes.takeIf { request.gzip })
    return "$stack: " + parts.ifEmpty { listOf("nothing counted") }.joinToString("; ")
}

internal fun FlowContent.answersSection(subject: ReportContext, judged: SituationJudgement) {
    val answers = subject.notableAnswers(judged).ifEmpty { return }
    val request = judged.situation.request
    val values = mostFrequent(answers)
    h3 { +"Content of the answers" }
    div("scroll") {
        scrollable("Content of the answers in ${judged.situation.name}")
        table {
            caption { +caption(request, values.isNotEmpty()) }
            thead {
                tr {
                    th(scope = ThScope.col) { +"Stack" }
                    (values.map(::shown) + listOf("others").filter { answers.any { it.others(values) > 0 } } +
                        if (request.gzip) listOf("Bytes as sent", "Bytes unpacked") else emptyList())
                        .forEach { th(scope = ThScope.col, classes = "number") { +it } }
                }
            }
            tbody {
                answers.forEach { one ->
                    tr {
                        th(scope = ThScope.row) { markSign(subject.mark(one.stack)); +subject.title(one.stack) }
                        values.forEach { td("number") { amount(one.counted[it] ?: 0, one.total) } }
                        if (answers.any { it.others(values) > 0 }) {
                            td("number") { amount(one.others(values), one.total) }
                        }
                        if (request.gzip) {
                            td("number") { +one.bytesEach(one.bodyBytes) }
                            td("number") { +one.bytesEach(one.unpackedBytes) }
                        }
                    }
                }
            }
        }
    }
}

private fun caption(request: Request, isCounted: Boolean) = listOfNotNull(
    "How often “${request.count}” had each value, over all trials.".takeIf { isCounted },
    "Mean size of a body, as sent and unpacked.".takeIf { request.gzip },
).joinToString(" ")

private fun TD.amount(amount: Long, total: Long) {
    span("median") { +number(amount) }
    span("interval") { +share(amount, total) }
}

private val Answers.total get() = counted.values.sum()

private fun Answers.others(shown: List<String>) = total - shown.sumOf { counted[it] ?: 0 }

private fun Answers.bytesEach(bytes: Long) = if (answered == 0L) NOTHING else number(bytes.toDouble() / answered)

private fun Answers.shares(values: List<String>) =
    (values.map { shown(it) to (counted[it] ?: 0) } + ("others" to others(values))).filter { it.second > 0 }
        .map { (value, amount) -> Triple(value, amount, share(amount, total)) }

private fun mostFrequent(answers: List<Answers>): List<String> =
    answers.flatMap { it.counted.entries }.groupBy({ it.key }, { it.value }).mapValues { it.value.sum() }
        .entries.sortedWith(compareBy({ -it.value }, { it.key })).take(MAX_VALUES).map { it.key }

private fun share(amount: Long, total: Long) = if (total == 0L) NOTHING else percent(amount.toDouble() / total)

/** Text of a server: shortened, and without terminal control sequences. */
private fun shown(value: String): String = when {
    value.isBlank() -> "(empty)"
    value.length > MAX_VALUE_LENGTH -> plain(value.take(MAX_VALUE_LENGTH)) + "…"
    else -> plain(value)
}

private fun plain(value: String) =
    value.map { if (it.isISOControl() || it.category == CharCategory.FORMAT) '\uFFFD' else it }.joinToString("")

private const val MAX_VALUES = 6
private const val MAX_VALUE_LENGTH = 40
