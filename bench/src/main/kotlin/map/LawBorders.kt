package threadgauge.map

import kotlin.math.ln
import threadgauge.model.plan.MapQuestion

/**
 * Where borders lie by the numbers that were [found] of each stack: where its throughput falls below what is enough of
 * the largest, or rises above it. None where each column costs another time of the processor.
 */
internal class LawBorders(private val question: MapQuestion, found: List<PlaceFound>) : ExpectedBorders {
    private val numbers: Map<String, StackNumbers> = if (!question.sheet.costsAlike) emptyMap() else
        found.flatMap { it.slices.keys }.distinct().mapNotNull { stack ->
            numbersOf(question, stack, found)?.let { stack to it }
        }.toMap()

    override fun of(stack: String, column: Int): List<Double> {
        val own = numbers[stack] ?: return emptyList()
        val wait = question.waitMillis(column) / 1e3
        val shares = question.users.map { users ->
            own.perSecond(users.toDouble(), wait) / numbers.values.maxOf { it.perSecond(users.toDouble(), wait) }
        }
        return shares.zipWithNext().mapIndexedNotNull { row, (here, next) ->
            if ((here >= question.enough) == (next >= question.enough)) null
            else row + ln(here / question.enough) / ln(here / next)
        }
    }
}
