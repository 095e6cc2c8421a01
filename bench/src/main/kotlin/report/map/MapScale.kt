package threadgauge.report.map

import kotlin.math.ln
import kotlin.math.pow
import kotlin.math.sqrt
import threadgauge.model.judgement.map.MapJudgement
import threadgauge.model.judgement.map.MapPlace

/** A logarithmic axis from [low] to [high] over so many [pixels]. */
internal class MapScale(private val low: Double, private val high: Double, private val pixels: Double) {
    /** Distance of [value] from the beginning of the axis. */
    fun at(value: Double): Double = pixels * ln(value / low) / ln(high / low)

    /** 1, 2 and 5 of each power of ten on the axis. */
    val ticks: List<Int>
        get() = (0..8).flatMap { power -> listOf(1, 2, 5).map { it * 10.0.pow(power) } }.filter { it in low..high }
            .map { it.toInt() }
}

/** What the axes of a map show, in the units of its work and in users. */
internal class MapFrame(val work: ClosedRange<Double>, val users: ClosedRange<Double>) {
    companion object {
        /** All that any of [maps] measured. Each has a place. */
        fun of(maps: List<MapJudgement>): MapFrame {
            val cells = maps.flatMap(::cellsOf)
            return MapFrame(
                cells.minOf { it.work.start }..cells.maxOf { it.work.endInclusive },
                cells.minOf { it.users.start }..cells.maxOf { it.users.endInclusive },
            )
        }
    }
}

/** What stands for a measured [place]: everything that is nearer to it than to another, as far as it was measured. */
internal class MapCell(val place: MapPlace, val work: ClosedRange<Double>, val users: ClosedRange<Double>)

/**
 * The cells of a map: its columns as far as they were measured, each with cells for the users that were measured. A
 * column that was only begun when time was up would leave a gap, so its neighbours take its place, if there are two.
 */
internal fun cellsOf(judgement: MapJudgement): List<MapCell> {
    val all = judgement.places.groupBy { it.work }.toSortedMap()
    val ends = with(judgement.question.users) { setOf(first(), last()) }
    val whole = all.filterValues { places ->
        places.filter { it.rounds >= MapPlace.WHOLE_ROUNDS }.map { it.users }.containsAll(ends)
    }.toSortedMap()
    val byWork = if (whole.size < 2) all else whole
    val columns = around(byWork.keys.toList())
    return byWork.entries.zip(columns).flatMap { (column, work) ->
        val places = column.value.sortedBy { it.users }
        places.zip(around(places.map { it.users })).map { (place, users) -> MapCell(place, work, users) }
    }
}

/** From each of [values] half the way to its neighbours, on a logarithmic axis, and a little beyond the outer ones. */
private fun around(values: List<Int>): List<ClosedRange<Double>> {
    val between = values.zipWithNext { a, b -> sqrt(a.toDouble() * b) }
    return values.mapIndexed { index, value ->
        val low = between.getOrNull(index - 1) ?: (value / EDGE)
        val high = between.getOrNull(index) ?: (value * EDGE)
        low..high
    }
}

/** By which factor the outer cells go on. */
private const val EDGE = 1.15
