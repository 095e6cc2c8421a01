package threadgauge.map

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldBeUnique
import io.kotest.matchers.doubles.shouldBeLessThanOrEqual
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.shouldBe
import java.util.SplittableRandom
import kotlin.math.abs
import org.junit.jupiter.api.Test
import threadgauge.model.judgement.map.Fit

class BorderSearchTest {
    private val grid = MapGrid(columns = 25, rows = 28, columnStride = 6, rowStride = 9)
    private val search = BorderSearch(grid)

    @Test
    fun `where all fit everywhere, the first look is the last`() {
        val found = explore { _, _ -> Fit.YES }
        found.size shouldBe 5 * 4
        search.brackets(found).shouldBeEmpty()
        found.map { it.at.row }.max() shouldBe 27
    }

    @Test
    fun `borders are found within a step in every column that was looked at, with a fraction of all places`() {
        val random = SplittableRandom(5)
        repeat(200) {
            // A border that falls or rises, steep or flat, and may leave the map.
            val slope = random.nextDouble(-2.0, 2.0)
            val at = random.nextDouble(-10.0, 38.0)
            val bend = random.nextDouble(-0.05, 0.05)
            fun border(column: Int) = at + slope * (column - 12) + bend * (column - 12) * (column - 12)
            val found = explore { column, row -> if (row < border(column)) Fit.YES else Fit.NO }
            found.map { it.at }.shouldBeUnique()
            found.size shouldBeLessThan grid.columns * grid.rows / 3
            for (bracket in search.brackets(found)) withClue("$bracket, border ${border(bracket.column)}") {
                bracket.width shouldBe 1
                bracket.fitsFrom shouldBe true
                abs(bracket.middle - border(bracket.column)) shouldBeLessThanOrEqual 0.5 + 1e-9
            }
            // Columns through which the border passes are seen to have one.
            for (column in found.map { it.at.column }.distinct()) {
                val passes = border(column) > 0 && border(column) <= 27
                search.brackets(found).any { it.column == column } shouldBe passes
            }
        }
    }

    @Test
    fun `a border that is where it is expected takes two places, and one that is not takes two more than bisection`() {
        fun within(expected: Double, border: Double): Int {
            val begin = listOf(Place(0, 0) to Fit.YES, Place(0, 27) to Fit.NO).map { (at, fit) ->
                Found(at, mapOf("shop" to fit))
            }
            val narrow = MapGrid(columns = 2, rows = 28, columnStride = 1, rowStride = 27)
            val asked = BorderSearch(narrow) { _, _ -> listOf(expected) }
            val found = begin.toMutableList()
            found += begin.map { Found(it.at.copy(column = 1), mapOf("shop" to Fit.YES)) }
            while (true) {
                val next = asked.next(found).filter { it.column == 0 }.ifEmpty { return found.size - 4 }
                next.mapTo(found) { Found(it, mapOf("shop" to if (it.row < border) Fit.YES else Fit.NO)) }
                asked.brackets(found).single { it.column == 0 }
                    .let { (it.from < border && it.to >= border) shouldBe true }
            }
        }
        for (row in 1..25) within(expected = row + 0.5, border = row + 0.5) shouldBe 2
        val random = SplittableRandom(7)
        repeat(500) {
            within(random.nextDouble(-5.0, 32.0), random.nextDouble(0.1, 27.0)) shouldBeLessThan 8
        }
    }

    @Test
    fun `places that cannot be told widen the border, and end the search`() {
        val found = explore { _, row -> if (row < 12) Fit.YES else if (row > 15) Fit.NO else Fit.OPEN }
        search.brackets(found).forEach {
            it.from shouldBe 11
            it.to shouldBe 16
        }
        search.next(found).shouldBeEmpty()
        search.between(found).shouldBeEmpty()
    }

    @Test
    fun `an island between two columns that are alike is not looked for, one between columns that differ is`() {
        // A stack that stops to fit from column 9 on, at every row: an upright border.
        val found = explore { column, _ -> if (column < 9) Fit.YES else Fit.NO }
        search.brackets(found).shouldBeEmpty()
        // Rows do not see it; both columns have no border, and yet they are not alike.
        found.map { it.at.column }.distinct().sorted().zipWithNext().filter { (a, b) -> a < 9 && b >= 9 }
            .single().let { (a, b) -> b - a shouldBe 1 }
    }

    @Test
    fun `a grid without room is refused`() {
        shouldThrow<IllegalArgumentException> { MapGrid(1, 5, 1, 1) }
        shouldThrow<IllegalArgumentException> { MapGrid(5, 5, 5, 1) }
    }

    private fun explore(truth: (column: Int, row: Int) -> Fit): List<Found> {
        val found = ArrayList<Found>()
        while (true) {
            val next = search.next(found).ifEmpty { search.between(found) }
            if (next.isEmpty()) return found
            next.mapTo(found) { Found(it, mapOf("shop" to truth(it.column, it.row))) }
        }
    }
}
