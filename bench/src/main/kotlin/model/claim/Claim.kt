package threadgauge.model.claim

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** Where published figures and claims come from, as far as it is known. Named, never copied. */
@Serializable
data class Source(
    /** What was published, in our words: "A post on coroutines on Spring MVC against WebFlux". */
    val title: String,
    val author: String? = null,
    /** As it was given, whole or in part: "2024-05". */
    val date: String? = null,
    /** On what the figures came about: machine, versions, tool. */
    val conditions: String? = null,
)

/** What was published of one figure, in the unit of its measure: one value, where both ends are equal, or a range. */
@Serializable
data class PublishedFigure(val measure: ClaimMeasure, val cell: ClaimCell, val low: Double, val high: Double)

/**
 * What somebody says about servers, put so that it can be judged. The statements of [corrected] decide, because they
 * give all servers the same conditions. Those of [asPublished] show whether the published result is seen here, and
 * whether a setting explains it.
 */
@Serializable
data class Claim(
    /** Short name in lower case with hyphens, unique in its experiment. */
    val name: String,
    /** The claim in words, one sentence. */
    val says: String,
    /** In the situation of the post; empty where the claim is not from a post. */
    val asPublished: List<Statement> = emptyList(),
    /** In situations that are fair to all. Empty only where [asPublished] is not; then that one decides. */
    val corrected: List<Statement> = emptyList(),
    /** For people: what was wrong with the published test, or why the verdict is what it is. */
    val why: String? = null,
)

/** [left] stands in [relation] to [right], for one pair of cells: a file's "in a, b" makes two statements. */
@Serializable
data class Statement(val measure: ClaimMeasure, val left: ClaimCell, val relation: Relation, val right: Bound)

/** A stack in a situation; no situation where the measure is one of the whole process, such as its boot. */
@Serializable
data class ClaimCell(val stack: String, val situation: String? = null)

/** How a statement says that two figures stand to each other. */
@Serializable
enum class Relation {
    MORE, AT_LEAST, LESS, AT_MOST, EQUAL;

    /** Says that the left side is large. */
    val isUpward: Boolean get() = this == MORE || this == AT_LEAST

    /** Says that the left side is small. */
    val isDownward: Boolean get() = this == LESS || this == AT_MOST
}

/** What a figure is claimed to be compared with. */
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

/** Cells that the statement is about. */
val Statement.cells: List<ClaimCell> get() = listOfNotNull(left, (right as? Bound.Times)?.cell)
