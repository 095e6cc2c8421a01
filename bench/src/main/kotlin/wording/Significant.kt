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
 * Decimals with which a value is worth printing: three significant digits, four from 1,000 on. Negative means rounding
 * to tens, hundreds and so on, because the fifth digit of a throughput is always noise. A whole number stays whole.
 */
internal fun decimalsFor(value: Double): Int {
    if (!value.isFinite()) return 0
    if (value == truncate(value) && abs(value) < 1000) return 0
    val magnitude = floor(log10(abs(value))).toInt()
    return (if (magnitude >= 3) 3 - magnitude else 2 - magnitude).coerceAtMost(3)
}

/** [value], which is finite, always with a point for decimals and commas for thousands: reports get compared. */
internal fun significant(value: Double, decimals: Int = decimalsFor(value)): String {
    val rounded = BigDecimal(value).setScale(decimals, RoundingMode.HALF_UP)
    if (rounded.signum() == 0 && value != 0.0 && decimals == 3) return if (value > 0) "<0.001" else "0"
    val format = DecimalFormat("#,##0", DecimalFormatSymbols.getInstance(Locale.ROOT))
    format.minimumFractionDigits = decimals.coerceAtLeast(0)
    format.maximumFractionDigits = decimals.coerceAtLeast(0)
    return format.format(rounded)
}
