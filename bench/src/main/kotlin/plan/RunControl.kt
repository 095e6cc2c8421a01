package threadgauge.plan

import threadgauge.model.GoalEnd
import threadgauge.model.Record

/** Decides what a run does next, from its record alone. Called on the run's thread, between two blocks. */
fun interface RunControl {
    fun next(record: Record): NextStep

    companion object {
        /** Everything that the plan has. */
        val AS_PLANNED = RunControl { NextStep.Block() }
    }
}

sealed interface NextStep {
    /** Another block. [rounds] replaces the number that follows from the lengths of the loads. */
    data class Block(val rounds: Int? = null) : NextStep

    data class End(val why: GoalEnd) : NextStep
}
