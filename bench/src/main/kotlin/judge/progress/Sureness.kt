package threadgauge.judge.progress

import threadgauge.judge.compare.CONFIDENCE
import threadgauge.model.Record
import threadgauge.stats.MIN_TRIALS
import threadgauge.stats.rounds.SequentialBounds
import threadgauge.stats.shared

/**
 * The confidence of each of several comparisons, so that all of them together hold with 95 %: also where the run looked
 * after every block and could have ended early.
 */
internal class Sureness private constructor(private val lastLook: Int?, private val blocks: Int) {
    private val bounds = HashMap<Int, SequentialBounds>()

    /** Of the intervals that are reported, for so many [comparisons]. */
    fun of(comparisons: Int): Double {
        val alone = shared(CONFIDENCE, comparisons)
        if (lastLook == null || blocks !in MIN_TRIALS..lastLook) return alone
        return boundsOf(comparisons, lastLook).confidenceAfter(blocks)
    }

    /** Of each of so many intervals by which a difference may end the run. */
    fun toTell(comparisons: Int): Double =
        if (lastLook == null || blocks !in MIN_TRIALS..lastLook) of(comparisons)
        else boundsOf(comparisons, lastLook).confidenceToTell(blocks)

    private fun boundsOf(comparisons: Int, last: Int) =
        bounds.getOrPut(comparisons) { SequentialBounds(last, shared(CONFIDENCE, comparisons)) }

    companion object {
        /** A run that only fills its time ends whatever it sees, so its looks cost nothing. */
        fun of(record: Record): Sureness {
            val isLooking = record.plan.goal?.within != null
            return Sureness(if (isLooking) lastLook(record) else null, measuredBlocks(record).size)
        }
    }
}
