package threadgauge.model.judgement.map

import kotlinx.serialization.Serializable

/** How far two maps of the same sheet say the same. */
@Serializable
data class MapAgreement(
    /** The records of the two maps. */
    val base: String,
    val other: String,
    /** Stacks at places that both maps measured and could tell. */
    val told: Int,
    /** Of those, where a stack fits by one map, and does not by the other. */
    val contradictions: List<MapContradiction>,
    /** Borders that both maps found, of the same stack and work. */
    val borders: Int,
    /** Of those, the ones that have no number of users in common. */
    val apart: List<BordersApart>,
)

/** A stack that fits a place by one map alone. */
@Serializable
data class MapContradiction(val stack: String, val work: Int, val users: Int, val fitsInBase: Boolean)

/** A border that lies elsewhere in another map. */
@Serializable
data class BordersApart(val base: MapBorder, val other: MapBorder) {
    /** The gap between the two, as a factor; more than 1. */
    val factor: Double
        get() = maxOf(base.fromUsers, other.fromUsers).toDouble() / minOf(base.toUsers, other.toUsers)
}
