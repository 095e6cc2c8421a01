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

/** Terms of the report, before the first figure. Column headings link here. */
internal fun FlowContent.howToRead() = section("reading") {
    id = "reading"
    attributes["aria-labelledby"] = "reading-title"
    h2 { id = "reading-title"; +"How to read this report" }
    div("columns") {
        p {
            +"Every "; dfn { +"stack" }; +" (a server with its settings) was measured in the same "; dfn {
                +"situations"
            }
            +" (a request under a load) in several "; dfn { +"trials" }
            +", each a fresh process. A figure is the median of its trials. Below it stands its "; dfn { +"interval" }
            +", which contains the true value with 95 % confidence. "
            +"“n of 1” instead of an interval is the number of values."
        }
        p {
            +"A "; dfn { +"ceiling" }
            +" is the highest throughput that a setting allows: 200 threads that wait 100 ms each serve at most "
            +"2,000/s, whatever the software. At its ceiling, a result is decided by that setting. A "
            dfn { +"doubt" }
            +" is an observation that makes a figure less certain: "
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
