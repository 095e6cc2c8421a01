package threadgauge.report.format

import java.util.Locale
import threadgauge.model.judgement.Figure
import threadgauge.wording.decimalsFor
import threadgauge.wording.percent
import threadgauge.wording.plainPercent
import threadgauge.wording.significant

/** With its significant digits; [NOTHING] where there is no figure. */
internal fun number(value: Double, decimals: Int = decimalsFor(value)): String =
    if (value.isFinite()) significant(value, decimals) else NOTHING

internal fun number(value: Long): String = "%,d".format(Locale.ROOT, value)

internal fun number(value: Int): String = number(value.toLong())

/** The figure alone, with its significant digits. */
internal fun Figure.valueText(): String = number(value)

/**
 * The line below a figure: its interval; without one, the range and the number of the values, so that a single value
 * does not look certain.
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

/** A share, 0 to 1, as a percentage. */
internal fun percent(share: Double): String = percent(share, NARROW_SPACE)

/** A setting, such as a margin, as a percentage without superfluous zeros. */
internal fun plainPercent(share: Double): String = plainPercent(share, NARROW_SPACE)

/** Bytes as megabytes of a million bytes, the unit of [threadgauge.model.judgement.CellJudgement.rssMegabytes]. */
internal fun megabytes(bytes: Long): String = number(bytes / 1e6) + NARROW_SPACE + "MB"

internal fun gigabytes(bytes: Long): String = number(bytes / 1e9) + NARROW_SPACE + "GB"

internal fun seconds(nanos: Long): String = number(nanos / 1e9) + NARROW_SPACE + "s"

internal fun millis(value: Double): String =
    if (value >= 10_000) number(value / 1000) + NARROW_SPACE + "s" else number(value) + NARROW_SPACE + "ms"

internal fun count(amount: Int, one: String, many: String = one + "s"): String =
    if (amount == 1) "1 $one" else "${number(amount)} $many"

/** [words] as a sentence, with a capital letter and a full stop. */
internal fun sentence(words: String): String =
    words.trim().replaceFirstChar { it.uppercase() }.let { if (it.isEmpty() || it.last() in ".!?") it else "$it." }

/** Text with no line break between a number and its unit. */
internal fun unbroken(prose: String): String = NUMBER_AND_UNIT.replace(prose, "$1\u00A0")

private val NUMBER_AND_UNIT = Regex("(\\d) (?=(%|ms|µs|s|MB|users|threads)(\\W|$))")

/** Shown where there is no value. */
internal const val NOTHING = "–"

/** Keeps a number and its unit on one line. */
internal const val NARROW_SPACE = "\u202F"
