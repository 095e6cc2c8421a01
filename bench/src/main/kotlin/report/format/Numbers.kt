package threadgauge.report.format

import java.math.BigDecimal
import java.math.RoundingMode
import java.text.DecimalFormat
import java.text.DecimalFormatSymbols
import java.util.Locale
import kotlin.math.abs
import kotlin.math.floor
import kotlin.math.log10
import kotlin.math.truncate
import threadgauge.model.judgement.Figure

/**
 * Decimals with which a value is worth printing: three significant digits, four from 1,000 on. Negative means rounding
 * to tens, hundreds and so on, because the fifth digit of a throughput is always noise. A whole number stays whole.
 */
internal fun decimalsFor(value: Double): Int {
    if (!value.isFinite()) return 0
    if (value == truncate(value) && abs(value) < 1000) return 0
    val magnitude = floor(log10(abs(value))).toInt()
    return (if (magnitude >= 3) 3 - magnitude else 2 - magnitude).coerceAtMost(3)
}

/** Always with a point for decimals and commas for thousands, whatever the machine's language: reports get compared. */
internal fun number(value: Double, decimals: Int = decimalsFor(value)): String {
    if (!value.isFinite()) return NOTHING
    val rounded = BigDecimal(value).setScale(decimals, RoundingMode.HALF_UP)
    if (rounded.signum() == 0 && value != 0.0 && decimals == 3) return if (value > 0) "<0.001" else "0"
    val format = DecimalFormat("#,##0", DecimalFormatSymbols.getInstance(Locale.ROOT))
    format.minimumFractionDigits = decimals.coerceAtLeast(0)
    format.maximumFractionDigits = decimals.coerceAtLeast(0)
    return format.format(rounded)
}

internal fun number(value: Long): String = "%,d".format(Locale.ROOT, value)

internal fun number(value: Int): String = number(value.toLong())

/** The figure alone, with the digits that fit it. */
internal fun Figure.valueText(): String = number(value)

/**
 * What stands beneath a figure: its interval where there is one; otherwise how few values there were and how far they
 * lie apart, so that nobody takes a single value for a sure one.
 */
internal fun Figure.sureness(): String {
    val decimals = decimalsFor(value)
    val from = low
    val to = high
    return when {
        from != null && from == to -> "all equal"
        from != null && to != null -> "${number(from, decimals)}–${number(to, decimals)}"
        values.size > 1 -> "${number(values.min(), decimals)}–${number(values.max(), decimals)} (n of ${values.size})"
        else -> "n of ${values.size}"
    }
}

/** A share of 0 to 1 as per cent. */
internal fun percent(share: Double): String = number(share * 100) + NARROW_SPACE + "%"

/** Bytes as megabytes of a million bytes, the unit of [threadgauge.model.judgement.CellJudgement.rssMegabytes]. */
internal fun megabytes(bytes: Long): String = number(bytes / 1e6) + NARROW_SPACE + "MB"

internal fun gigabytes(bytes: Long): String = number(bytes / 1e9) + NARROW_SPACE + "GB"

internal fun seconds(nanos: Long): String = number(nanos / 1e9) + NARROW_SPACE + "s"

internal fun millis(value: Double): String =
    if (value >= 10_000) number(value / 1000) + NARROW_SPACE + "s" else number(value) + NARROW_SPACE + "ms"

internal fun count(amount: Int, one: String, many: String = one + "s"): String =
    if (amount == 1) "1 $one" else "${number(amount)} $many"

/** Words of others as a sentence of their own. */
internal fun sentence(words: String): String =
    words.trim().replaceFirstChar { it.uppercase() }.let { if (it.isEmpty() || it.last() in ".!?") it else "$it." }

/** Prose in which no line ends between a number and its unit. */
internal fun unbroken(prose: String): String = NUMBER_AND_UNIT.replace(prose, "$1\u00A0")

private val NUMBER_AND_UNIT = Regex("(\\d) (?=(%|ms|µs|s|MB|users|threads)(\\W|$))")

/** Stands where there is no value. */
internal const val NOTHING = "–"

/** Keeps a number and its unit on one line. */
internal const val NARROW_SPACE = "\u202F"
