package threadgauge.model.judgement.compare

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import threadgauge.model.Load

/** Why something in at least one record is not compared. */
@Serializable
sealed interface Mismatch {
    /** A stack or a situation that [side] does not have. */
    @Serializable
    @SerialName("missing")
    data class Missing(val what: ComparedPart, val name: String, val side: ComparisonSide) : Mismatch

    /** The situation is on both sides, but with these [differences]. */
    @Serializable
    @SerialName("asked-otherwise")
    data class AskedOtherwise(
        val situation: String,
        val differences: List<AskedPart>,
        val baseLoad: Load,
        val newLoad: Load,
    ) : Mismatch

    /** The cell is planned on both sides, but was not measured on these. */
    @Serializable
    @SerialName("not-measured")
    data class NotMeasured(val stack: String, val situation: String, val sides: List<ComparisonSide>) : Mismatch
}

/** Named parts of a record. */
@Serializable
enum class ComparedPart {
    @SerialName("stack") STACK,
    @SerialName("situation") SITUATION,
}

/** A side of a comparison: the earlier or the later records. */
@Serializable
enum class ComparisonSide {
    @SerialName("base") BASE,
    @SerialName("new") NEW,
}

/** Parts of a situation that must be equal on both sides. */
@Serializable
enum class AskedPart {
    @SerialName("request") REQUEST,
    @SerialName("load") LOAD,
    @SerialName("connections") CONNECTIONS,
}
