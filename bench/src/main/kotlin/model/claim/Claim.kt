package threadgauge.model.claim

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** Source of published figures and claims, as far as it is known. Named, never copied. */
@Serializable
data class Source(
    /** The publication, in our words: "A post on coroutines on Spring MVC against WebFlux". */
    val title: String,
    val author: String? = null,
    /** Date as published, complete or in part: "2024-05". */
    val date: String? = null,
    /** Environment of the figures: machine, versions, tool. */
    val conditions: String? = null,
)

/** A published figure in the unit of its measure: one value, with both ends equal, or a range. */
@Serializable
data class PublishedFigure(val measure: ClaimMeasure, val cell: ClaimCell, val low: Double, val high: Double)

/**
 * A claim about servers as statements that can be judged. The statements of [corrected] decide, because they give all
 * servers the same conditions. Those of [asPublished] show whether the published result can be reproduced, and whether
 * a setting explains it.
 */
@Serializable
data class Claim(
    /** Short name in lower case with hyphens, unique in its experiment. */
    val name: String,
    /** The claim in words, one sentence. */
    val says: String,
    /** Statements in the situation of the post; empty where the claim is not from a post. */
    val asPublished: List<Statement> = emptyList(),
    /** Statements in situations that are fair to all. Empty only where [asPublished] is not; then that one decides. */
    val corrected: List<Statement> = emptyList(),
    /** Explanation: what was wrong with the published test, or why the verdict is what it is. */
    val why: String? = null,
)

/** [left] has the [relation] to [right], for one pair of cells: "in a, b" in a file makes two statements. */
@Serializable
data class Statement(val measure: ClaimMeasure, val left: ClaimCell, val relation: Relation, val right: Bound)

/** A stack in a situation; without a situation for a measure of the whole process, such as its boot time. */
@Serializable
data class ClaimCell(val stack: String, val situation: String? = null)

/** Relation between two figures of a statement. */
@Serializable
enum class Relation {
    MORE, AT_LEAST, LESS, AT_MOST, EQUAL;

    /** The left side is claimed to be large. */
    val isUpward: Boolean get() = this == MORE || this == AT_LEAST

    /** The left side is claimed to be small. */
    val isDownward: Boolean get() = this == LESS || this == AT_MOST
}

/** The right side of a statement. */
@Serializable
sealed interface Bound {
    /** In the unit of the measure. */
    @Serializable
    @SerialName("value")
    data class Value(val value: Double) : Bound

    /** [factor] times the same measure of [cell]. */
    @Serializable
    @SerialName("times")
    data class Times(val factor: Double, val cell: ClaimCell) : Bound
}

/** Cells of the statement. */
val Statement.cells: List<ClaimCell> get() = listOfNotNull(left, (right as? Bound.Times)?.cell)
