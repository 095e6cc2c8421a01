package threadgauge.report.html.section

import kotlinx.html.DL
import kotlinx.html.FlowContent
import kotlinx.html.dd
import kotlinx.html.details
import kotlinx.html.dfn
import kotlinx.html.div
import kotlinx.html.dl
import kotlinx.html.dt
import kotlinx.html.h2
import kotlinx.html.id
import kotlinx.html.p
import kotlinx.html.section
import kotlinx.html.summary
import threadgauge.report.format.ReportedFigure

/** The few words that the rest of the report is made of, before the first figure. Column headings link here. */
internal fun FlowContent.howToRead() = section("reading") {
    id = "reading"
    attributes["aria-labelledby"] = "reading-title"
    h2 { id = "reading-title"; +"How to read this report" }
    div("columns") {
        p {
            +"Every "; dfn { +"stack" }; +" (a server with its settings) was put before the same "; dfn {
                +"situations"
            }
            +" (a request under a load) in several "; dfn { +"trials" }
            +", each a fresh process. A figure is the median of its trials. Beneath it stands its "; dfn { +"interval" }
            +": with 95 % confidence the true value lies there. "
            +"Without an interval it says how many values it rests on, “n of 1”."
        }
        p {
            +"A "; dfn { +"ceiling" }
            +" is the most that a setting allows, whatever the software: 200 threads that wait 100 ms each cannot pass "
            +"2,000/s. A result at its ceiling was decided by that setting. A "; dfn { +"doubt" }
            +" is something seen while measuring that makes a figure less sure: "
            +"“suspect” figures may be wrong, “invalid” ones must not be used."
        }
    }
    details {
        summary { +"What the columns mean" }
        dl("words") { ReportedFigure.entries.forEach { word(it.anchor, it.label, it.explanation) } }
    }
}

private fun DL.word(anchor: String, word: String, explanation: String) {
    dt { id = anchor; dfn { +word } }
    dd { +explanation }
}
