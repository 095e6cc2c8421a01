package threadgauge.wording

import java.math.MathContext

/** "1 probe", "2 probes", "1,200 probes". */
internal fun counted(amount: Long, one: String, many: String = one + "s"): String =
    if (amount == 1L) "1 $one" else "${whole(amount)} $many"

/** A limit or a setting as a percentage, without superfluous zeros: 0.02 as "2 %", 0.125 as "12.5 %". */
internal fun plainPercent(share: Double, space: String = " "): String =
    (share * 100).toBigDecimal().round(MathContext(PLAIN_DIGITS)).stripTrailingZeros().toPlainString() + space + "%"

/** Hides the rounding error of the conversion to binary: 0.07 * 100 is 7.000000000000001. */
private const val PLAIN_DIGITS = 6
