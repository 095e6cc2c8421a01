package threadgauge.report.history

import java.util.Locale
import kotlin.math.ceil
import kotlin.math.exp
import kotlin.math.floor
import kotlin.math.ln
import kotlin.math.log10
import kotlin.math.max
import kotlin.math.pow
import threadgauge.report.html.chart.cssPercent

/**
 * Places of [runs] runs from left to right, and of values from [least] to [most] from the bottom to the top, by their
 * logarithms. At least four margins are between bottom and top, so that noise looks like noise.
 */
internal class HistoryScale(least: Double, most: Double, margin: Double, private val runs: Int) {
    private val span = max(ln(most / least), LEAST_MARGINS * ln(1 + margin))
    private val middle = (ln(least) + ln(most)) / 2

    /**
     * Round values between bottom and top, ascending: one to three. Multiples of 1, 2 or 5 times a power of ten; where
     * the top is far above the bottom, powers of ten.
     */
    val ticks: List<Double> = run {
        val bottom = exp(middle - span / 2)
        val top = exp(middle + span / 2)
        val decades = (ceil(log10(bottom)).toInt()..floor(log10(top)).toInt()).map { 10.0.pow(it) }
        val each = ceil(decades.size / MOST_TICKS).toInt()
        if (decades.size >= 2) return@run decades.filterIndexed { at, _ -> at % each == 0 }
        val power = 10.0.pow(floor(log10(top - bottom)) - 1)
        STEPS.map { step -> multiples(step * power, bottom, top) }.first { it.size <= MOST_TICKS }
    }

    /** Of run number [at], counted from 0; halves are between two runs. Left of them is room for [ticks]. */
    fun x(at: Double): String = cssPercent(ROOM + (1 - ROOM) * ((at + 0.5) / runs).coerceIn(0.0, 1.0))

    /** In percent of the height, because the drawing has a height of its own. */
    fun y(value: Double): String =
        "%.2f%%".format(Locale.ROOT, 100 * (0.5 - (ln(value) - middle) / span * PART_OF_HEIGHT))

    private fun multiples(step: Double, from: Double, to: Double) =
        (ceil(from / step).toLong()..floor(to / step).toLong()).map { it * step }

    companion object {
        private const val ROOM = 0.1

        /** Left end of the room for runs. */
        val LEFT = cssPercent(ROOM)

        private val STEPS = listOf(1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
        private const val MOST_TICKS = 3.0
        private const val LEAST_MARGINS = 4
        private const val PART_OF_HEIGHT = 0.84
    }
}
