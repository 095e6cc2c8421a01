package threadgauge.model.doubt

import kotlinx.serialization.Serializable
import threadgauge.model.judgement.Validity

/**
 * Something that makes a figure less sure. It holds what was found, with the figure and its limit, and no sentence:
 * those are made by `wording`.
 */
@Serializable
data class Doubt(
    val facts: DoubtFacts,
    /**
     * What it does to the figures that it is about. VALID where it is worth knowing and no reason to trust them less.
     */
    val validity: Validity,
    /** In how many of the measured trials it was found; null where it is not about single measurements. */
    val trials: TrialShare? = null,
    val id: DoubtId = facts.id,
)

/** [found] of [of] trials. */
@Serializable
data class TrialShare(val found: Int, val of: Int)

/** What was found, with its figures and limits. Shares are 0 to 1. One class for each kind of doubt. */
@Serializable
sealed interface DoubtFacts {
    val id: DoubtId
}
