package threadgauge.doctor

import threadgauge.model.EqualRound
import threadgauge.model.plan.RoundsRule
import threadgauge.plan.RoundOrder
import threadgauge.run.Cancellation
import threadgauge.run.agent.BRIEF_DIVISOR
import threadgauge.run.agent.Calibration
import threadgauge.target.AwakeCores

/**
 * Measures two equal servers that are alive together, in rounds of slices as a run does. Whatever they seem to differ
 * by is noise. Belongs to the doctor's thread.
 */
internal class EqualServers(
    private val first: Calibration,
    private val second: Calibration,
    private val cancellation: Cancellation,
    private val hear: (number: Int, of: Int) -> Unit,
) {
    private val order = RoundOrder(seed = 1, block = 1)

    /**
     * Rounds in pairs, one of each with awake cores and one without, in an order drawn anew: what the machine does in
     * this time meets both alike. Where cores cannot be kept awake, all rounds are without.
     */
    fun measure(): List<EqualRound> {
        second.warmUp()
        val canWake = AwakeCores.hold().use { it.areAwake }
        val ways = (1..PAIRS).flatMap { if (canWake) order.shuffled(WAYS) else WAYS.map { false } }
        return ways.mapIndexed { index, awake ->
            hear(index + 1, ways.size)
            if (awake) AwakeCores.hold().use { round(it.areAwake) } else round(awake = false)
        }
    }

    private fun round(awake: Boolean): EqualRound {
        val slices = order.shuffled(listOf(first, second)).associateWith { server ->
            cancellation.check()
            server.slice(RULE.sliceNanos, RULE.leadInNanos)
        }
        return EqualRound(awake, slices.getValue(first), slices.getValue(second))
    }

    companion object {
        /** Approximate duration of [measure] with the start of the second server. */
        const val SECONDS = 31

        private val RULE = RoundsRule()
        private val WAYS = listOf(true, false)

        /** With fewer there is no standard deviation. */
        private const val MIN_PAIRS = 3

        /** A standard deviation of ten rounds is known to a quarter of itself. */
        private val PAIRS = maxOf(MIN_PAIRS, 10 / BRIEF_DIVISOR)
    }
}
