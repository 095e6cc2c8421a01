package threadgauge.report.history

import java.util.Locale
import kotlin.math.ln
import kotlin.math.max
import threadgauge.report.html.chart.cssPercent

/**
 * Places of [runs] runs from left to right, and of values from [least] to [most] from the bottom to the top, by their
 * logarithms. At least four margins are between bottom and top, so that noise looks like noise.
 */
internal class HistoryScale(least: Double, most: Double, margin: Double, private val runs: Int) {
    private val span = max(ln(most / least), LEAST_MARGINS * ln(1 + margin))
    private val middle = (ln(least) + ln(most)) / 2

    /** Of run number [at], counted from 0; halves are between two runs. */
    fun x(at: Double): String = cssPercent(((at + 0.5) / runs).coerceIn(0.0, 1.0))

    /** In percent of the height, because the drawing has a height of its own. */
    fun y(value: Double): String =
        "%.2f%%".format(Locale.ROOT, 100 * (0.5 - (ln(value) - middle) / span * PART_OF_HEIGHT))

    private companion object {
        const val LEAST_MARGINS = 4
        const val PART_OF_HEIGHT = 0.84
    }
}
