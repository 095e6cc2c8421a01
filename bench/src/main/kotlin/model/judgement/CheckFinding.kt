package threadgauge.model.judgement

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import threadgauge.model.claim.ClaimCell
import threadgauge.model.doubt.Doubt
import threadgauge.model.judgement.claim.ClaimCheck

/** The basis of the outcome of a check: a figure that was compared with the claim, or the reason why there is none. */
@Serializable
sealed interface CheckFinding {
    /** A figure or a ratio with its interval: [ClaimCheck.found]. */
    @Serializable
    @SerialName("found")
    data object Found : CheckFinding

    /** The measure is one of a sale, and no situation of the experiment has a sale. */
    @Serializable
    @SerialName("nothing-sold")
    data object NothingSold : CheckFinding

    /** The measure is one of an idle process, and the experiment has no `rest`. */
    @Serializable
    @SerialName("no-rest")
    data object NoRest : CheckFinding

    /** A figure is zero in some trial, so there is no ratio. */
    @Serializable
    @SerialName("zero-in-some-trial")
    data object ZeroInSomeTrial : CheckFinding

    /** [stack] is not part of this run. */
    @Serializable
    @SerialName("stack-left-out")
    data class StackLeftOut(val stack: String) : CheckFinding

    /** Nothing was measured of [cell]. */
    @Serializable
    @SerialName("no-figure")
    data class NoFigure(val cell: ClaimCell) : CheckFinding

    /** [doubts] make the figures of [cell] invalid. */
    @Serializable
    @SerialName("invalid-figures")
    data class InvalidFigures(val cell: ClaimCell, val doubts: List<Doubt>) : CheckFinding

    /** [cell] was measured in [trials] trials; an interval needs [needed]. */
    @Serializable
    @SerialName("too-few-trials")
    data class TooFewTrials(val cell: ClaimCell, val trials: Int, val needed: Int) : CheckFinding
}
