package threadgauge.model.doubt

import kotlinx.serialization.Serializable
import threadgauge.model.judgement.Validity

/** A reason to trust a figure less. Data only, with the figure and its limit; `wording` has the sentences. */
@Serializable
data class Doubt(
    val facts: DoubtFacts,
    /** Its effect on the figures. VALID: worth knowing, but no reason to trust them less. */
    val validity: Validity,
    /** Number of measured trials in which it was found; null where it is not about single measurements. */
    val trials: TrialShare? = null,
    /** How much was found in those trials; null where there is no amount, and where it is not about measurements. */
    val amounts: Amounts? = null,
    val id: DoubtId = facts.id,
)

/** [found] of [of] trials. */
@Serializable
data class TrialShare(val found: Int, val of: Int)

/** The least and the most that was found, in the unit of the facts. */
@Serializable
data class Amounts(val least: Double, val most: Double)

/** What was found, with figures and limits. Shares are 0 to 1. One class for each kind of doubt. */
@Serializable
sealed interface DoubtFacts {
    val id: DoubtId
}
