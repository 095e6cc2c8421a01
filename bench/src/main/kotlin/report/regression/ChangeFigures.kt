package threadgauge.report.regression

import threadgauge.model.judgement.Change
import threadgauge.model.judgement.Compared
import threadgauge.report.format.number
import threadgauge.report.html.ratioDecimals

/** What is compared, with its unit. */
internal val Change.title: String
    get() = when (of) {
        Compared.THROUGHPUT -> "answers/s"
        Compared.P50 -> "p50, ms"
        Compared.P99 -> "p99, ms"
        Compared.CPU -> "CPU/request, µs"
        Compared.MEMORY -> "memory, MB"
        Compared.ALLOCATED -> "allocated/request, kB"
    }

internal fun Change.text(value: Double): String = number(value)

/** "0.912 (0.897–0.927)" */
internal fun Change.ratioText(): String {
    val decimals = ratioDecimals(ratio)
    val range = if (low == null || high == null) "no interval" else "${number(low, decimals)}–${number(high, decimals)}"
    return "${number(ratio, decimals)} ($range)"
}
