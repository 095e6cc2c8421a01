package threadgauge.wording

import java.math.MathContext

/** "1 probe", "2 probes", "1,200 probes". */
internal fun counted(amount: Long, one: String, many: String = one + "s"): String =
    if (amount == 1L) "1 $one" else "${whole(amount)} $many"

/** A share that somebody chose, without decimals that it does not have: 0.02 as "2 %", 0.125 as "12.5 %". */
internal fun plainPercent(share: Double, space: String = " "): String =
    (share * 100).toBigDecimal().round(MathContext(PLAIN_DIGITS)).stripTrailingZeros().toPlainString() + space + "%"

/** What a share loses on its way to a percentage is not worth seeing. */
private const val PLAIN_DIGITS = 6
