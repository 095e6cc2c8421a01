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
import threadgauge.report.format.NOTHING
import threadgauge.report.format.ReportContext
import threadgauge.report.format.number
import threadgauge.report.html.chart.scrollable
import threadgauge.report.html.markSign
import threadgauge.report.regression.title

/** Messages of a stack's streams in a situation: medians over its trials, of figures of all streams of a trial. */
@Serializable
data class Streams(
    val situation: String,
    val stack: String,
    /** Messages per second, of all streams together. */
    val perSecond: Double,
    /** From sending a request to its first message, in microseconds. */
    val firstP50Micros: Double,
    val firstP99Micros: Double,
    /** From one message of a stream to its next, in microseconds. */
    val gapP50Micros: Double,
    val gapP99Micros: Double,
    /** CPU time of the process per message, in microseconds; null where it is unknown. */
    val cpuMicros: Double?,
)

/** Null where answers are no streams, or nothing was measured. */
internal fun ReportContext.streams(stack: String, situation: String): Streams? {
    val samples = samples(stack, situation).map { it.second }.filter { (it.stream?.messages ?: 0) > 0 }
    if (samples.isEmpty()) return null
    val streams = samples.map { checkNotNull(it.stream) }
    val cpu = samples.mapNotNull { sample ->
        sample.cost.cpuMillis?.let { it * MICROS_A_MILLI / checkNotNull(sample.stream).messages }
    }
    return Streams(
        situation, stack,
        perSecond = median(samples.map { checkNotNull(it.stream).messages / it.windowMillis * MILLIS_A_SECOND }),
        firstP50Micros = median(streams.map { it.first.p50Micros }),
        firstP99Micros = median(streams.map { it.first.p99Micros }),
        gapP50Micros = median(streams.map { it.gap.p50Micros }),
        gapP99Micros = median(streams.map { it.gap.p99Micros }),
        cpuMicros = if (cpu.isEmpty()) null else median(cpu),
    )
}

internal fun ReportContext.streams(judged: SituationJudgement): List<Streams> =
    judged.cells.mapNotNull { streams(it.stack, judged.situation.name) }

/** "spring-webflux: 19,980 messages/s at 12.1 µs of CPU each, the first after 3.1 ms (p99 9.2), …" */
internal fun Streams.words(): String {
    val cost = cpuMicros?.let { " at ${number(it)} µs of CPU each" }.orEmpty()
    return "$stack: ${number(perSecond)} messages/s$cost; the first after ${inMillis(firstP50Micros)} ms " +
        "(p99 ${inMillis(firstP99Micros)}), ${inMillis(gapP50Micros)} ms between two (p99 ${inMillis(gapP99Micros)})"
}

internal fun FlowContent.streamsSection(subject: ReportContext, judged: SituationJudgement) {
    val all = subject.streams(judged).ifEmpty { return }
    h3 { +"Streams" }
    div("scroll") {
        scrollable("Streams in ${judged.situation.name}")
        table {
            caption { +"Messages of all streams together, and when they came: medians over all trials." }
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
                        one.values().forEach { td("number") { +it } }
                    }
                }
            }
        }
    }
}

private fun Streams.values() = listOf(
    number(perSecond), cpuMicros?.let(::number) ?: NOTHING, inMillis(firstP50Micros), inMillis(firstP99Micros),
    inMillis(gapP50Micros), inMillis(gapP99Micros),
)

private fun inMillis(micros: Double) = number(micros / MICROS_A_MILLI)

private val HEADINGS = listOf(
    "Messages/s", "CPU per message, µs", "First, p50 ms", "First, p99 ms", "Between two, p50 ms", "Between two, p99 ms",
)
private const val MICROS_A_MILLI = 1_000.0
private const val MILLIS_A_SECOND = 1_000.0
