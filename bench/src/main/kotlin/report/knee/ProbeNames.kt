package threadgauge.report.knee

import java.util.Locale
import threadgauge.model.Load
import threadgauge.model.judgement.JudgedProbe
import threadgauge.model.request.words
import threadgauge.model.words
import threadgauge.report.format.number

/** "07", or "2-07" where there are several processes. */
internal fun shortName(probe: JudgedProbe): String =
    probe.name.removePrefix("probe-").let { if (probe.trial == 1) it else "${probe.trial}-$it" }

internal fun loadWords(probe: JudgedProbe): String = when (val load = probe.load) {
    is Load.Users -> if (load.users == 1) "1 user" else "${number(load.users)} users"
    is Load.Poisson -> "${rateNumber(load.ratePerSecond)}/s"
    else -> load.words()
}

internal fun rateNumber(perSecond: Double): String = number(perSecond, if (perSecond < 100) 1 else 0)

/** For κ, which is often about 10⁻⁶. */
internal fun tiny(value: Double): String = if (value == 0.0) "0" else "%.2g".format(Locale.ROOT, value)
