package threadgauge.report.html

import kotlinx.html.FlowOrPhrasingContent
import kotlinx.html.code
import threadgauge.report.format.unbroken

/** [text], in which a setting or a command stands between backticks, as in Markdown. A single one is shown as it is. */
internal fun FlowOrPhrasingContent.prose(text: String) {
    val parts = text.split('`')
    if (parts.size % 2 == 0) {
        +unbroken(text)
        return
    }
    parts.forEachIndexed { index, part -> if (index % 2 == 0) +unbroken(part) else code { +part } }
}
