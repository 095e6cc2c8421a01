package threadgauge.cli.command.option

import com.github.ajalt.clikt.parameters.options.NullableOption
import com.github.ajalt.clikt.parameters.options.RawOption
import com.github.ajalt.clikt.parameters.options.convert

/** A margin as a share, from a percentage: 0.03 from "3%". */
internal fun RawOption.percentage(): NullableOption<Double, Double> = convert { text ->
    val share = text.trim().removeSuffix("%").trim().toDoubleOrNull()?.div(100)
    val isPercentage = text.trim().endsWith("%") && share != null && share in 0.0..0.5
    if (isPercentage) share else fail("$text is not a percentage from 0% to 50%; write 3%")
}

internal const val MARGIN_HELP = "Smallest difference that counts (default: 3%)"
