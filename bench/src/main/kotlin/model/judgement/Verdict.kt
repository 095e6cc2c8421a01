package threadgauge.model.judgement

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** The verdict on one situation, without words. */
@Serializable
sealed interface Verdict {
    /** The leaders have a higher throughput, or a lower latency, than every other stack by at least the margin. */
    @Serializable
    @SerialName("fits")
    data class Fits(val ranking: Ranking) : Verdict {
        init {
            require(ranking.behind.isNotEmpty()) { "a verdict for some stacks needs others that are behind" }
        }

        val stacks: List<String> get() = ranking.leaders
    }

    /** There is no difference beyond the margin. */
    @Serializable
    @SerialName("no-difference")
    data class NoDifference(val ranking: Ranking) : Verdict

    /** A setting decides: the leaders, or the others, are at a ceiling. */
    @Serializable
    @SerialName("decided-by-setting")
    data class DecidedBySetting(val ranking: Ranking) : Verdict {
        val stacks: List<String> get() = ranking.leaders
    }

    @Serializable
    @SerialName("cannot-tell")
    data class CannotTell(val reason: CannotTellReason) : Verdict

    /**
     * Each stack compared with its baseline; the experiment does not ask for the best. [baselines] are in the order of
     * the experiment.
     */
    @Serializable
    @SerialName("beside-baselines")
    data class BesideBaselines(val baselines: List<String>, val ranking: Ranking) : Verdict

    /** A single stack was measured, so there is no comparison. */
    @Serializable
    @SerialName("alone")
    data class Alone(val stack: String) : Verdict

    /** One or two trials: figures without intervals. */
    @Serializable
    @SerialName("indicative")
    data class Indicative(val ranking: Ranking) : Verdict
}

/** Why the run cannot tell. */
@Serializable
sealed interface CannotTellReason {
    /** No stack has a valid figure. */
    @Serializable
    @SerialName("no-valid-figure")
    data object NoValidFigure : CannotTellReason

    /** Only [stack] has a valid figure. */
    @Serializable
    @SerialName("only-one")
    data class OnlyOne(val stack: String) : CannotTellReason

    /** The intervals of the leaders overlap. */
    @Serializable
    @SerialName("overlap")
    data class Overlap(val ranking: Ranking) : CannotTellReason
}

/** The ranking behind the verdict; null where there is none. */
val Verdict.ranking: Ranking?
    get() = when (this) {
        is Verdict.Fits -> ranking
        is Verdict.NoDifference -> ranking
        is Verdict.DecidedBySetting -> ranking
        is Verdict.BesideBaselines -> ranking
        is Verdict.Indicative -> ranking
        is Verdict.CannotTell -> (reason as? CannotTellReason.Overlap)?.ranking
        is Verdict.Alone -> null
    }
