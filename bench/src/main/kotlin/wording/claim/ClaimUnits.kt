package threadgauge.wording.claim

import java.util.Locale
import kotlin.math.abs
import kotlin.math.floor
import threadgauge.model.claim.ClaimUnit

/** [value] with its unit, in three significant digits: "2,710/s", "1.5 s", "12 %". */
internal fun ClaimUnit.text(value: Double): String = when (this) {
    ClaimUnit.PER_SECOND -> "${digits(value)}/s"
    ClaimUnit.MILLIS -> if (abs(value) >= 1_000) "${digits(value / 1e3)} s" else "${digits(value)} ms"
    ClaimUnit.MICROS -> "${digits(value)} µs"
    ClaimUnit.MEGABYTES -> "${digits(value)} MB"
    ClaimUnit.KILOBYTES -> "${digits(value)} kB"
    ClaimUnit.SHARE -> "${digits(value * 100)} %"
    ClaimUnit.COUNT -> digits(value)
}

/** A claimed factor: 1/6 as "0.167", 1/2 as "0.5", 14 as "14". */
internal fun factorText(factor: Double): String =
    if (factor == floor(factor)) "%,.0f".format(Locale.ROOT, factor) else decimal(factor)

/** A measured ratio. Ratios below 2 have three decimals, because those near 1 need them. */
internal fun ratioText(ratio: Double): String = when {
    ratio == Math.rint(ratio) && ratio > 1 -> "%,.0f".format(Locale.ROOT, ratio)
    ratio < 2 -> "%.3f".format(Locale.ROOT, ratio)
    ratio < 100 -> "%.1f".format(Locale.ROOT, ratio)
    else -> "%,.0f".format(Locale.ROOT, ratio)
}

private fun decimal(factor: Double) = digits(factor).let { if ('.' in it) it.trimEnd('0').trimEnd('.') else it }

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
