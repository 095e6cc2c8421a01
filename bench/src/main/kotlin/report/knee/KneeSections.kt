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

/** Latency against the arrival rate. The knee is where the curve turns up. */
internal fun FlowContent.kneeChartSection(judgement: KneeJudgement) = section {
    id = "latency"
    attributes["aria-labelledby"] = "latency-title"
    h2 { id = "latency-title"; +"Latency against rate" }
    val data = kneeChartData(judgement)
    p {
        +"Each point is a probe: an open load with Poisson arrivals. Circles met every goal, crosses missed one. "
        +"Triangles were limited by the load agent, and diamonds were sent late. "
        +"The dashed line is the limit of ${data.measure}. The band is the interval of the knee."
    }
    kneeFigure("latency", "${data.measure}, in ms", "over arrivals per second; both logarithmic", data.knee.inShort())
}

/** Throughput against concurrency, with the fitted law. */
internal fun FlowContent.kneeLawSection(judgement: KneeJudgement) {
    val scalability = judgement.scalability ?: return
    section {
        id = "law"
        attributes["aria-labelledby"] = "law-title"
        h2 { id = "law-title"; +"Throughput against concurrency" }
        p {
            +"Before the search, closed loads ran with increasing concurrency. The curve is the Universal "
            +"Scalability Law, X(N) = λN / (1 + σ(N−1) + κN(N−1)), fitted to them. Its band has 95 % confidence. "
            +"The curve ends where the measurements end."
        }
        p { +unbroken(scalability.words()) }
        val note = "over concurrent requests; horizontal axis logarithmic"
        kneeFigure("law", "Correct answers per second", note, scalability.words())
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

private fun FlowContent.kneeFigure(key: String, title: String, note: String, description: String) = figure("chart") {
    figcaption { span("chart-title") { +title }; span("chart-note") { +note } }
    div("canvas knee-canvas") {
        canvas {
            attributes["data-knee"] = key
            attributes["role"] = "img"
            attributes["aria-label"] = "$title. $description"
        }
    }
}

/** The source of all numbers above. Each row comes from one file of histograms. */
internal fun FlowContent.kneeProbesSection(judgement: KneeJudgement) = section {
    id = "probes"
    attributes["aria-labelledby"] = "probes-title"
    h2 { id = "probes-title"; +"All probes" }
    div("scroll") {
        scrollable("All probes")
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
            tbody { judgement.probes.forEach { probeRow(it) } }
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
