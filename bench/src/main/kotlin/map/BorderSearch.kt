package threadgauge.map

import kotlin.math.abs
import kotlin.math.ceil
import kotlin.math.floor
import kotlin.math.roundToInt
import threadgauge.model.judgement.map.Fit
import threadgauge.model.plan.MapQuestion

/** A place on the finest grid of a map. Both count from 0. */
data class Place(val column: Int, val row: Int)

/** What was found at [at], by stack. */
class Found(val at: Place, val fits: Map<String, Fit>)

/**
 * A grid of [columns] by [rows] places, of which the first look takes about every [columnStride]th and [rowStride]th,
 * evenly from the first to the last.
 */
data class MapGrid(val columns: Int, val rows: Int, val columnStride: Int, val rowStride: Int) {
    init {
        require(columns > 1 && rows > 1) { "a map of $columns by $rows places" }
        require(columnStride in 1..<columns && rowStride in 1..<rows) { "strides of $columnStride and $rowStride" }
    }

    val firstColumns: List<Int> get() = strides(columns, columnStride)
    val firstRows: List<Int> get() = strides(rows, rowStride)

    constructor(question: MapQuestion) :
        this(question.work.size, question.users.size, question.columnStride, question.rowStride)

    private fun strides(count: Int, stride: Int): List<Int> {
        val steps = ((count - 1.0) / stride).roundToInt().coerceAtLeast(1)
        return (0..steps).map { (it * (count - 1.0) / steps).roundToInt() }
    }
}

/**
 * A border in one column: between the rows [from] and [to], a stack that fits on one side does not on the other. Both
 * are sure; rows between them were not measured, or are open.
 */
data class Bracket(val stack: String, val column: Int, val from: Int, val to: Int, val fitsFrom: Boolean) {
    val width: Int get() = to - from

    /** Where the border is drawn: in the middle. */
    val middle: Double get() = (from + to) / 2.0
}

/** Where borders are expected. */
fun interface ExpectedBorders {
    /** The rows of a column between which [stack] is expected to begin or to end to fit: 2.5 is between 2 and 3. */
    fun of(stack: String, column: Int): List<Double>
}

/**
 * Looks for the borders of the regions in which stacks fit. Borders cross columns, so each column is searched by
 * itself: first on both sides of where a border is [expected], and by bisection where it is not there. A column is
 * added between two whose borders are not alike. Plain regions stay coarse.
 *
 * A place is measured once. One that is open stays within its bracket, and the search goes on right beside it.
 */
class BorderSearch(
    private val grid: MapGrid,
    private val expected: ExpectedBorders = ExpectedBorders { _, _ -> emptyList() },
) {
    /**
     * The places of the first look, then the ends of columns that were begun, then those within brackets that are not
     * known well, [isWide], the widest first; empty once every bracket is one step wide or known, or has nothing left
     * to measure. [found] is all that was measured, in any order.
     */
    fun next(found: List<Found>, isWide: (Bracket) -> Boolean = { true }): List<Place> {
        val known = found.mapTo(HashSet()) { it.at }
        val first = grid.firstColumns.flatMap { column -> grid.firstRows.map { Place(column, it) } } - known
        val ends = known.map { it.column }.distinct()
            .flatMap { listOf(Place(it, 0), Place(it, grid.rows - 1)) } - known
        return first.ifEmpty { ends }.ifEmpty {
            brackets(found).filter { it.width > 1 && isWide(it) }.sortedByDescending { it.width }
                .mapNotNull { inside(it, known) }.distinct()
        }
    }

    /** All borders, by stack and column. */
    fun brackets(found: List<Found>): List<Bracket> {
        val stacks = found.flatMap { it.fits.keys }.distinct()
        val byColumn = found.groupBy { it.at.column }.toSortedMap()
        return stacks.flatMap { stack ->
            byColumn.flatMap { (column, places) ->
                val sure = places.filter { it.fits[stack].let { fit -> fit == Fit.YES || fit == Fit.NO } }
                    .sortedBy { it.at.row }
                sure.zipWithNext().filter { (one, other) -> one.fits[stack] != other.fits[stack] }
                    .map { (one, other) ->
                        Bracket(stack, column, one.at.row, other.at.row, one.fits[stack] == Fit.YES)
                    }
            }
        }
    }

    /**
     * The place of [bracket] to measure next; null if there is none. Where one is open the border is near, so it is the
     * next one, on the side of the farther end. Otherwise it is beside an expected border, or halves the bracket.
     */
    private fun inside(bracket: Bracket, known: Set<Place>): Place? {
        fun isKnown(row: Int) = Place(bracket.column, row) in known
        val (low, high) = bracket.from to bracket.to
        val open = (low + 1..<high).filter(::isKnown)
        val row = if (open.isEmpty()) {
            val beside = around(bracket.stack, bracket.column) { it > low && it < high }
            beside.firstOrNull { it in low + 1..<high } ?: ((low + high) / 2)
        } else {
            listOf(open.first() - 1 to open.first() - low, open.last() + 1 to high - open.last())
                .sortedByDescending { (_, far) -> far }.map { (row, _) -> row }
                .firstOrNull { it in low + 1..<high && !isKnown(it) }
                // Between open ones.
                ?: (open.first()..open.last()).firstOrNull { !isKnown(it) }
        }
        return row?.let { Place(bracket.column, it) }
    }

    /** The rows on both sides of each border of [stack] that is expected in [column], as far as it [counts]. */
    private fun around(stack: String, column: Int, counts: (Double) -> Boolean = { true }): List<Int> =
        expected.of(stack, column).filter(counts).flatMap { listOf(floor(it).toInt(), ceil(it).toInt()) }
            .filter { it in 0..<grid.rows }

    /**
     * Columns between neighbours whose borders are not alike: their ends, and the rows around the borders that are
     * expected there, or that the neighbours have where none is. Empty where all neighbours are alike.
     */
    fun between(found: List<Found>): List<Place> {
        val known = found.mapTo(HashSet()) { it.at }
        val columns = found.map { it.at.column }.distinct().sorted()
        val borders = brackets(found).groupBy { it.column }
        val begins = found.groupBy { it.at.column }.mapValues { (_, places) -> begin(places) }
        return columns.zipWithNext().filter { (one, other) -> other - one > 1 }
            .filterNot { (one, other) ->
                begins[one] == begins[other] && areAlike(borders[one].orEmpty(), borders[other].orEmpty())
            }
            .sortedByDescending { (one, other) -> other - one }
            .flatMap { (one, other) ->
                val column = (one + other) / 2
                val near = (borders[one].orEmpty() + borders[other].orEmpty()).groupBy { it.stack }
                    .flatMap { (stack, its) ->
                        around(stack, column).ifEmpty { its.flatMap { listOf(it.from, it.to) } }
                    }
                val rows = (near + listOf(0, grid.rows - 1)).distinct().sorted()
                rows.map { Place(column, it) }
            }.filter { it !in known }
    }

    /** Whether each stack fits at the first place of a column that is sure. */
    private fun begin(places: List<Found>): Map<String, Fit> {
        val sorted = places.sortedBy { it.at.row }
        return sorted.flatMap { it.fits.keys }.distinct().associateWith { stack ->
            sorted.mapNotNull { it.fits[stack] }.firstOrNull { it != Fit.OPEN } ?: Fit.OPEN
        }
    }

    /** The same borders in the same order, each less than [ALIKE_ROWS] apart: a straight line between them will do. */
    private fun areAlike(one: List<Bracket>, other: List<Bracket>): Boolean {
        fun kinds(of: List<Bracket>) = of.sortedWith(ORDER)
        val pairs = kinds(one).zip(kinds(other))
        return one.size == other.size && pairs.all { (a, b) ->
            a.stack == b.stack && a.fitsFrom == b.fitsFrom && abs(a.middle - b.middle) < ALIKE_ROWS
        }
    }

    private companion object {
        const val ALIKE_ROWS = 6.0
        val ORDER = compareBy<Bracket>({ it.stack }, { it.from })
    }
}
