package threadgauge.model.judgement

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import threadgauge.model.SloGoal
import threadgauge.model.doubt.Doubt

/** Whether one stack kept one goal in one situation. */
@Serializable
data class GoalJudgement(
    val situation: String,
    val stack: String,
    val goal: SloGoal,
    val verdict: GoalVerdict,
    val basis: GoalBasis,
    /**
     * The figure that the goal is about, with its interval, in the unit of the goal's limit: microseconds, a share from
     * 0 to 1, or correct answers per second. Null where nothing was measured.
     */
    val figure: Figure? = null,
) {
    /** The verdict is by the figure alone, because there were too few trials for an interval. */
    val isIndicative: Boolean get() = basis is GoalBasis.FigureAlone
}

/** The verdict on one goal. */
@Serializable
enum class GoalVerdict {
    /** The whole interval is within the goal. */
    KEPT,

    /** The whole interval is outside. */
    BROKEN,

    /** The interval includes the limit, or the figures are not fit to judge. */
    CANNOT_TELL,
}

/** What a verdict on a goal rests on, or why there is none. */
@Serializable
sealed interface GoalBasis {
    /** The interval over trials. */
    @Serializable
    @SerialName("interval")
    data object ByInterval : GoalBasis

    /** The goal allows no failed request, so the failures of all trials were counted. */
    @Serializable
    @SerialName("counted")
    data object Counted : GoalBasis

    /** The figure of [trials] trials; an interval needs [needed]. */
    @Serializable
    @SerialName("figure-alone")
    data class FigureAlone(val trials: Int, val needed: Int) : GoalBasis

    /** No verdict: nothing was measured. */
    @Serializable
    @SerialName("not-measured")
    data object NotMeasured : GoalBasis

    /** No verdict: [doubts] make the figures invalid. */
    @Serializable
    @SerialName("invalid-figures")
    data class InvalidFigures(val doubts: List<Doubt>) : GoalBasis

    /** No verdict: the goal was missed, but [doubts] say that the load agent may be the cause. */
    @Serializable
    @SerialName("agent-limited")
    data class AgentLimited(val doubts: List<Doubt>) : GoalBasis

    /** No verdict: of [answers] answers too few lie beyond the percentile; it needs [needed]. */
    @Serializable
    @SerialName("too-few-answers")
    data class TooFewAnswers(val answers: Long, val needed: Int) : GoalBasis
}
