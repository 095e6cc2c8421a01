package threadgauge.map

import kotlin.math.exp
import kotlin.math.ln
import kotlin.math.sqrt
import threadgauge.model.Trial
import threadgauge.model.judgement.Estimated
import threadgauge.model.judgement.map.Fit
import threadgauge.model.plan.MapQuestion
import threadgauge.model.plan.Slice
import threadgauge.stats.median
import threadgauge.stats.rounds.VarianceComponents
import threadgauge.stats.rounds.squaresWithin
import threadgauge.stats.studentQuantile

/** What the slices at one place say. */
class PlaceFound(
    val at: Place,
    /** Slices of each stack that was measured here, in the order of measurement. */
    val slices: Map<String, List<Slice>>,
    /** Throughput of each stack as a share of the fastest one's, with a 95 % interval. */
    val shares: Map<String, Estimated>,
    val fits: Map<String, Fit>,
    /** What is behind the intervals of [shares]; without stacks of which one round or none could be compared. */
    val spreads: Map<String, ShareSpread>,
) {
    /** Of the stack with the fewest. */
    val rounds: Int get() = slices.values.minOf { it.size }
}

/**
 * How much the logarithm of a share varies: [variance] is that of its mean, from how rounds vary, with [freedom]
 * degrees of freedom. Processes differ besides, of which there are [blocks].
 */
class ShareSpread(val variance: Double, val freedom: Int, val blocks: Int) {
    /** Of a mean whose own variance is only estimated, so that it varies as Student's t: by f ÷ (f − 2) more. */
    val ofStudent: Double get() = variance * if (freedom > 2) freedom / (freedom - 2.0) else LEAST_KNOWN
}

/**
 * What [trials] found at each place of [question], in any order. Stacks are compared with the fastest one of the place,
 * round by round, as logarithms.
 *
 * How much rounds vary differs from place to place: hardly where few users wait long, much where the processor is full.
 * A place has few rounds to tell, so its own variance is mixed with what is usual on this map, which counts as
 * [USUAL_FREEDOM] degrees of freedom (moderated variances: G. K. Smyth, *Linear models and empirical Bayes methods for
 * assessing differential expression in microarray experiments*, Statistical Applications in Genetics and Molecular
 * Biology 3, 2004; there that number is estimated). Processes differ, too, which one process of each cannot show, so
 * [VarianceComponents.TYPICAL_BETWEEN_BLOCKS] is added for each block.
 */
fun placesFound(question: MapQuestion, trials: List<Trial>): List<PlaceFound> {
    val places = question.placesByName()
    val all = trials.flatMap { trial -> trial.slices.map { Taken(trial.stack, trial.number, it) } }
        .groupBy { places[it.slice.situation] }
        .mapNotNull { (at, taken) -> at?.let { (column, row) -> AtPlace(Place(column, row), taken) } }
    val usual = all.map { it.squares }.filter { it.freedom > 0 }.map { it.sum / it.freedom }
        .takeIf { it.isNotEmpty() }?.let(::median)
    return all.map { it.found(question.enough, usual) }
}

private class Taken(val stack: String, val block: Int, val slice: Slice)

/** A sum of squared deviations from a mean, and its degrees of freedom. */
private class Squares(val sum: Double, val freedom: Int)

private class AtPlace(private val at: Place, taken: List<Taken>) {
    private val byStack: Map<String, List<Taken>> = taken.groupBy { it.stack }

    /** By mean throughput. */
    private val fastest: String = byStack.maxBy { (_, its) -> its.map { it.slice.perSecond }.average() }.key

    /** Logarithms of the ratio to the fastest, by block; none for the fastest itself, and without answers. */
    private val differences: Map<String, List<List<Double>>> = byStack.filterKeys { it != fastest }
        .mapValues { (stack, its) -> its.groupBy { it.block }.values.map { block -> block.mapNotNull(::difference) } }
        .mapValues { (_, blocks) -> blocks.filter { it.isNotEmpty() } }

    private fun difference(one: Taken): Double? {
        val other = byStack.getValue(fastest).firstOrNull { it.block == one.block && it.slice.round == one.slice.round }
        val rates = listOf(one.slice.perSecond, other?.slice?.perSecond ?: 0.0)
        return if (rates.any { it <= 0 }) null else ln(rates.first() / rates.last())
    }

    /** Of all stacks here together, each block about its own mean. */
    val squares: Squares = differences.values.flatten().let { blocks ->
        Squares(squaresWithin(blocks), blocks.sumOf { it.size - 1 })
    }

    /** [usual] is the variance of a round on this map; null where it is unknown. */
    fun found(enough: Double, usual: Double?): PlaceFound {
        val freedom = squares.freedom + USUAL_FREEDOM
        val variance = usual?.let { (squares.sum + USUAL_FREEDOM * it) / freedom }
        val spreads = if (variance == null) emptyMap() else byStack.keys.mapNotNull { stack ->
            spread(stack, variance, freedom)?.let { stack to it }
        }.toMap()
        val shares = byStack.keys.associateWith { share(it, spreads[it]) }
        val fits = byStack.mapValues { (stack, its) ->
            val share = shares.getValue(stack)
            when {
                its.sumOf { it.slice.counts.failed } > MAX_FAILED * its.sumOf { it.slice.counts.answered } -> Fit.NO
                share.low >= enough -> Fit.YES
                share.high < enough -> Fit.NO
                else -> Fit.OPEN
            }
        }
        return PlaceFound(at, byStack.mapValues { (_, its) -> its.map { it.slice } }, shares, fits, spreads)
    }

    /** Null where no round could be compared. */
    private fun spread(stack: String, variance: Double, freedom: Int): ShareSpread? {
        val rounds = if (stack != fastest) differences.getValue(stack).map { it.size }
        else byStack.getValue(stack).groupBy { it.block }.map { it.value.size }
        if (rounds.isEmpty()) return null
        return ShareSpread(rounds.sumOf { variance / it } / (rounds.size * rounds.size), freedom, rounds.size)
    }

    private fun share(stack: String, spread: ShareSpread?): Estimated {
        if (stack == fastest) return Estimated(1.0, 1.0, 1.0)
        val blocks = differences.getValue(stack)
        if (blocks.isEmpty()) return Estimated(0.0, 0.0, 0.0)
        val mean = blocks.map { it.average() }.average()
        if (spread == null) return Estimated(exp(mean), 0.0, Double.MAX_VALUE)
        val processes = VarianceComponents.TYPICAL_BETWEEN_BLOCKS
        val half = studentQuantile(CONFIDENCE, spread.freedom.toDouble()) *
            sqrt(spread.variance + processes * processes / spread.blocks)
        return Estimated(exp(mean), exp(mean - half), exp(mean + half))
    }
}

private const val CONFIDENCE = 0.95
private const val USUAL_FREEDOM = 2

/** As with three degrees of freedom: with fewer, there is no such variance. */
private const val LEAST_KNOWN = 3.0

/** A stack that fails more requests than this does not fit, however fast it is. */
private const val MAX_FAILED = 0.01
