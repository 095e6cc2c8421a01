package threadgauge.model.claim

import java.util.Locale
import kotlin.math.abs
import kotlin.math.floor

/** The statement for people: "Throughput of a in x is at least 14 times that of b in y". */
fun Statement.words(): String = when (val right = right) {
    is Bound.Value -> "${measure.title} of ${left.text()} is ${relation.words(measure, right.value)}"
    is Bound.Times -> "${measure.title} of ${left.text()} is ${relation.words} ${right.words()}"
}

/** "at least 5/s"; of nothing at all no more than that is said: "0". */
fun Relation.words(measure: ClaimMeasure, value: Double): String =
    if (value == 0.0 && this == Relation.EQUAL) measure.unit.text(value) else "$words ${measure.unit.text(value)}"

private fun Bound.Times.words() =
    if (factor == 1.0) "that of ${cell.text()}" else "${factorText(factor)} times that of ${cell.text()}"

private fun ClaimCell.text() = if (situation == null) stack else "$stack in $situation"

/** A sixth is 0.167, a half 0.5, and 14 is 14. */
fun factorText(factor: Double): String =
    if (factor == floor(factor)) "%,.0f".format(Locale.ROOT, factor) else decimal(factor)

private fun decimal(factor: Double) = digits(factor).let { if ('.' in it) it.trimEnd('0').trimEnd('.') else it }

/** [value] in this unit as people write it: three digits, "2,710/s", "1.5 s", "12 %". */
fun ClaimUnit.text(value: Double): String = when (this) {
    ClaimUnit.PER_SECOND -> "${digits(value)}/s"
    ClaimUnit.MILLIS -> if (abs(value) >= 1_000) "${digits(value / 1e3)} s" else "${digits(value)} ms"
    ClaimUnit.MICROS -> "${digits(value)} µs"
    ClaimUnit.MEGABYTES -> "${digits(value)} MB"
    ClaimUnit.KILOBYTES -> "${digits(value)} kB"
    ClaimUnit.SHARE -> "${digits(value * 100)} %"
    ClaimUnit.COUNT -> digits(value)
}

private fun digits(value: Double): String {
    val decimals = when {
        value == floor(value) || abs(value) >= 999.5 -> 0
        abs(value) >= 99.95 -> 1
        abs(value) >= 9.995 -> 1
        abs(value) >= 0.9995 -> 2
        else -> 3
    }
    return "%,.${decimals}f".format(Locale.ROOT, value)
}
