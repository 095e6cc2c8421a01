package threadgauge.judge

import java.util.Locale

/** 0.123 as "12 %", 0.0123 as "1.2 %". */
internal fun percent(share: Double) = (if (share < 0.1) "%.1f %%" else "%.0f %%").format(Locale.ROOT, share * 100)

/** 12345.6 as "12,346". */
internal fun whole(value: Double) = "%,d".format(Locale.ROOT, Math.round(value))
