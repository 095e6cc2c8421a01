package threadgauge.report.knee

import kotlinx.html.FlowContent
import kotlinx.html.TBODY
import kotlinx.html.ThScope
import kotlinx.html.canvas
import kotlinx.html.caption
import kotlinx.html.dd
import kotlinx.html.div
import kotlinx.html.dl
import kotlinx.html.dt
import kotlinx.html.figcaption
import kotlinx.html.figure
import kotlinx.html.h2
import kotlinx.html.id
import kotlinx.html.p
import kotlinx.html.section
import kotlinx.html.span
import kotlinx.html.table
import kotlinx.html.tbody
import kotlinx.html.td
import kotlinx.html.th
import kotlinx.html.thead
import kotlinx.html.tr
import threadgauge.model.judgement.Estimated
import threadgauge.model.judgement.JudgedProbe
import threadgauge.model.judgement.KneeJudgement
import threadgauge.model.judgement.ProbeOutcome
import threadgauge.model.judgement.ScalabilityFit
import threadgauge.report.format.NOTHING
import threadgauge.report.format.number
import threadgauge.report.format.percent
import threadgauge.report.format.unbroken
import threadgauge.report.html.chart.scrollable
import threadgauge.report.html.figure
import threadgauge.wording.knee.inShort
import threadgauge.wording.knee.words

/** One target of a page: its [index] among them, from 0. */
internal class KneeTarget(val judgement: KneeJudgement, val index: Int, private val isOnlyOne: Boolean) {
    /** Unique in the page. */
    fun key(name: String): String = if (isOnlyOne) name else "$name-${index + 1}"

    fun titled(title: String): String = if (isOnlyOne) title else "${judgement.target}: ${title.lowercase()}"
}

/** Latency against the arrival rate. The knee is where the curve turns up. */
internal fun FlowContent.kneeChartSection(target: KneeTarget) = section {
    id = target.key("latency")
    attributes["aria-labelledby"] = target.key("latency-title")
    h2 { id = target.key("latency-title"); +target.titled("Latency against rate") }
    val data = kneeChartData(target.judgement)
    p {
        +"Each point is a probe: an open load with Poisson arrivals. Circles met every goal, crosses missed one. "
        +"Triangles were limited by the load agent, and diamonds were sent late. "
        +"The dashed line is the limit of ${data.measure}. The band is the interval of the knee."
    }
    val note = "over arrivals per second; both logarithmic"
    kneeFigure(target, "latency", "${data.measure}, in ms", note, data.knee.inShort())
}

/** Throughput against concurrency, with the fitted law. */
internal fun FlowContent.kneeLawSection(target: KneeTarget) {
    val scalability = target.judgement.scalability ?: return
    section {
        id = target.key("law")
        attributes["aria-labelledby"] = target.key("law-title")
        h2 { id = target.key("law-title"); +target.titled("Throughput against concurrency") }
        p {
            +"Before the search, closed loads ran with increasing concurrency. The curve is the Universal "
            +"Scalability Law, X(N) = λN / (1 + σ(N−1) + κN(N−1)), fitted to them. Its band has 95 % confidence. "
            +"The curve ends where the measurements end."
        }
        p { +unbroken(scalability.words()) }
        val note = "over concurrent requests; horizontal axis logarithmic"
        kneeFigure(target, "law", "Correct answers per second", note, scalability.words())
        scalability.fit?.let { parameters(it) }
    }
}

private fun FlowContent.parameters(fit: ScalabilityFit) = dl("facts") {
    fun fact(name: String, value: String) {
        dt { +name }
        dd { +value }
    }
    fun words(estimated: Estimated, show: (Double) -> String) =
        "${show(estimated.value)} (${show(estimated.low)} to ${show(estimated.high)})"
    fact("λ, answers per second at a concurrency of 1", words(fit.lambda) { number(it) })
    fact("σ, serial share of the work", words(fit.sigma) { tiny(it) })
    fact("κ, coordination cost per pair of requests", words(fit.kappa) { tiny(it) })
    fit.peakConcurrency?.let { peak ->
        val seen = if (fit.peakWasMeasured) "" else ", extrapolated"
        fact("Peak", "${number(fit.peakPerSecond ?: 0.0)}/s with ${number(peak, 0)} concurrent requests$seen")
    }
    fact("R²", "%.3f".format(java.util.Locale.ROOT, fit.rSquared))
    fact("Typical error", percent(fit.typicalError))
}

private fun FlowContent.kneeFigure(
    target: KneeTarget,
    key: String,
    title: String,
    note: String,
    description: String,
) = figure("chart") {
    figcaption { span("chart-title") { +title }; span("chart-note") { +note } }
    div("canvas knee-canvas") {
        canvas {
            attributes["data-knee"] = key
            attributes["data-target"] = "${target.index}"
            attributes["role"] = "img"
            attributes["aria-label"] = "$title. $description"
        }
    }
}

/** The source of all numbers above. Each row comes from one file of histograms. */
internal fun FlowContent.kneeProbesSection(target: KneeTarget) = section {
    id = target.key("probes")
    attributes["aria-labelledby"] = target.key("probes-title")
    h2 { id = target.key("probes-title"); +target.titled("All probes") }
    div("scroll") {
        scrollable(target.titled("All probes"))
        table("dense knee-probes") {
            caption { +"In order. Latency in ms, from the time at which a request was due." }
            thead {
                tr {
                    th(scope = ThScope.col) { +"Probe" }
                    listOf("Load", "Arrived/s", "Answered/s", "Mean", "p50", "p90", "p99", "p99.9", "Max", "Failed")
                        .forEach { th(scope = ThScope.col, classes = "number") { +it } }
                    listOf("Goals", "Why", "Histograms").forEach { th(scope = ThScope.col) { +it } }
                }
            }
            tbody { target.judgement.probes.forEach { probeRow(it) } }
        }
    }
}

private fun TBODY.probeRow(probe: JudgedProbe) = tr {
    th(scope = ThScope.row) { +shortName(probe) }
    val latency = probe.latency
    val times = listOf(
        latency.meanMicros, latency.p50Micros, latency.p90Micros, latency.p99Micros, latency.p999Micros,
        latency.maxMicros,
    )
    val values = listOf(loadWords(probe), rateNumber(probe.offeredPerSecond), rateNumber(probe.answeredPerSecond)) +
        times.map { micros -> micros?.let { number(it / 1e3) } ?: NOTHING } + percent(probe.errorShare)
    values.forEach { td("number") { +it } }
    td {
        when (probe.outcome) {
            null -> +NOTHING
            ProbeOutcome.KEPT -> span("validity kept") { +"✓ kept" }
            ProbeOutcome.BROKEN -> span("validity invalid") { +"× broken" }
            ProbeOutcome.AGENT, ProbeOutcome.LATE -> span("validity suspect") { +"! ${probe.outcome.words}" }
        }
    }
    td { +(probe.reasons.map { it.words() } + probe.notes.map { it.words() }).joinToString("; ") }
    td("code") { +probe.hlog.substringAfterLast('/') }
}
