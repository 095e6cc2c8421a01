package threadgauge.report.html

import kotlinx.html.FlowContent
import kotlinx.html.div
import kotlinx.html.h2
import kotlinx.html.h3
import kotlinx.html.id
import kotlinx.html.p
import kotlinx.html.section
import kotlinx.html.span
import threadgauge.model.judgement.SituationJudgement
import threadgauge.report.format.ReportContext
import threadgauge.report.format.unbroken
import threadgauge.report.html.cause.becauseList
import threadgauge.report.html.cause.causeSection
import threadgauge.report.html.chart.roundsPlots
import threadgauge.report.html.chart.secondBySecond
import threadgauge.report.html.chart.throughputPlot
import threadgauge.report.html.flame.flameSection
import threadgauge.report.html.section.answersSection
import threadgauge.report.html.section.arrival
import threadgauge.report.html.section.ledgerSection
import threadgauge.report.html.section.requestDetails
import threadgauge.report.html.section.scenariosSection
import threadgauge.report.html.section.shares
import threadgauge.report.html.section.streamsSection
import threadgauge.report.html.section.words
import threadgauge.wording.verdict.verdictWords

internal fun situationId(index: Int) = "situation-${index + 1}"

/** One situation: verdict, figures, comparisons and charts. */
internal fun FlowContent.situationSection(subject: ReportContext, judged: SituationJudgement, index: Int) =
    section("situation") {
        val own = situationId(index)
        id = own
        attributes["aria-labelledby"] = "$own-title"
        p("kicker") { +"Situation ${index + 1} of ${subject.judgement.situations.size}" }
        h2 { id = "$own-title"; +"Requests that ${judged.situation.words}" }
        p("asked") {
            val shares = judged.situation.shares()
            if (shares != null) +shares
            else span("code") { +"${judged.situation.request.method} ${judged.situation.request.path}" }
            +" · ${arrival(judged.situation)}"
        }
        requestDetails(judged.situation)
        div("verdict") {
            verdictTag(judged.verdict)
            p { +unbroken(judged.verdictWords()) }
        }
        becauseList(subject, judged)
        h3 { +"Throughput" }
        throughputPlot(subject, judged)
        h3 { +"All figures" }
        figureTable(subject, judged)
        causeSection(subject, judged)
        flameSection(subject, judged)
        scenariosSection(subject, judged)
        ledgerSection(subject, judged)
        answersSection(subject, judged)
        streamsSection(subject, judged)
        comparisons(subject, judged)
        roundsPlots(subject, judged)
        secondBySecond(subject, judged, index)
    }
