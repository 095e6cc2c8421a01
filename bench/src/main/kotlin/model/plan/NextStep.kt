package threadgauge.model.plan

/** What a run does after each block. */
sealed interface NextStep {
    /**
     * Another block. [rounds] replaces the number that follows from the lengths of the loads; null keeps that. They end
     * before, with a whole round, once they have taken [maxSeconds].
     */
    data class Block(val rounds: Int? = null, val maxSeconds: Double? = null) : NextStep

    data class End(val why: GoalEnd) : NextStep
}
