package threadgauge.run.measure

import threadgauge.plan.hasProfiles
import threadgauge.run.RunContext
import threadgauge.run.TrialRun

/**
 * The profiles of one block: every living process in every situation, if the plan has profiles in this block, and as
 * far as the time limit of the run allows. Belongs to the run's thread.
 */
internal class ProfilesRun(private val context: RunContext) {
    /** [run] in its situations. [attempt] runs a step and returns false if that failed. */
    class Participant(val run: TrialRun, val attempt: (() -> Unit) -> Boolean)

    fun run(participants: List<Participant>) {
        val asked = participants.filter { context.plan.hasProfiles(it.run.planned) }.toMutableList()
        var leftNanos = budgetNanos()
        for (situation in context.plan.experiment.situations.map { it.name }) {
            val loads = asked.mapNotNull { one -> one.run.profileLoad(situation)?.let { one to it } }
            val needed = loads.sumOf { (_, load) -> load.wholeNanos }
            // All stacks or none, so that their causes can be compared.
            if (needed > leftNanos) continue
            leftNanos -= needed
            for ((one, load) in loads) {
                val isIn = one.attempt {
                    context.cancellation.check()
                    one.run.profile(situation, load)
                }
                if (!isIn) asked -= one
            }
        }
    }

    /** A tenth of the time limit, and no more than is left of it. */
    private fun budgetNanos(): Long {
        val limit = context.plan.goal?.budgetNanos ?: return Long.MAX_VALUE
        val left = limit - (context.writer.runMillis(System.nanoTime()) * 1e6).toLong()
        return minOf(limit / SHARE_OF_BUDGET, left)
    }

    private companion object {
        const val SHARE_OF_BUDGET = 10
    }
}
