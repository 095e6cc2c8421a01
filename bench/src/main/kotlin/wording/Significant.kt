package threadgauge.wording

import java.math.BigDecimal
import java.math.RoundingMode
import java.text.DecimalFormat
import java.text.DecimalFormatSymbols
import java.util.Locale
import kotlin.math.abs
import kotlin.math.floor
import kotlin.math.log10
import kotlin.math.truncate

/**
 * How many decimals of a value to print: three significant digits, four from 1,000 on. A negative result means rounding
 * to tens, hundreds and so on, because the fifth digit of a throughput is noise. A whole number below 1,000 has none.
 */
internal fun decimalsFor(value: Double): Int {
    if (!value.isFinite()) return 0
    if (value == truncate(value) && abs(value) < 1000) return 0
    val magnitude = floor(log10(abs(value))).toInt()
    return (if (magnitude >= 3) 3 - magnitude else 2 - magnitude).coerceAtMost(3)
}

/**
 * [value], which is finite, with a decimal point and commas for thousands whatever the locale, so that reports can be
 * compared.
 */
internal fun significant(value: Double, decimals: Int = decimalsFor(value)): String {
    val rounded = BigDecimal(value).setScale(decimals, RoundingMode.HALF_UP)
    if (rounded.signum() == 0 && value != 0.0 && decimals == 3) return if (value > 0) "<0.001" else "0"
    val format = DecimalFormat("#,##0", DecimalFormatSymbols.getInstance(Locale.ROOT))
    format.minimumFractionDigits = decimals.coerceAtLeast(0)
    format.maximumFractionDigits = decimals.coerceAtLeast(0)
    return format.format(rounded)
}
