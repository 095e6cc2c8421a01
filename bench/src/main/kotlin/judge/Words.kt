package threadgauge.judge

import java.util.Locale

/** 0.123 as "12 %", 0.0123 as "1.2 %". */
internal fun percent(share: Double) = (if (share < 0.1) "%.1f %%" else "%.0f %%").format(Locale.ROOT, share * 100)

/** Three digits where they mean something: 0.9876 as "0.988", 9.571 as "9.57", 10 as "10", 12345.6 as "12,346". */
internal fun digits(value: Double): String = when {
    value >= 100 || value == Math.rint(value) -> whole(value)
    value >= 10 -> "%.1f".format(Locale.ROOT, value)
    value >= 1 -> "%.2f".format(Locale.ROOT, value)
    else -> "%.3f".format(Locale.ROOT, value)
}

/** 12345.6 as "12,346". */
internal fun whole(value: Double) = "%,d".format(Locale.ROOT, Math.round(value))
