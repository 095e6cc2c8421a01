package threadgauge.model.judgement.claim

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** The reason for the verdict on a claim. Numbers are indices in [ClaimJudgement.checks], from 0. */
@Serializable
sealed interface ClaimReason {
    /**
     * The claim holds by [holding]. It fails by [failing], and [unknown] are unknown. Both are empty where it is
     * confirmed.
     */
    @Serializable
    @SerialName("holds")
    data class Holds(
        val holding: List<Int>,
        val failing: List<Int> = emptyList(),
        val unknown: List<Int> = emptyList(),
        val asPublished: AsPublished? = null,
    ) : ClaimReason

    /** The claim fails by [failing]. The unknown checks [idle] could not change that. */
    @Serializable
    @SerialName("fails")
    data class Fails(
        val failing: List<Int>,
        val idle: List<Int> = emptyList(),
        val asPublished: AsPublished? = null,
    ) : ClaimReason

    /** The claim holds by [published], because a setting limits one side. Tested fairly, it fails by [failing]. */
    @Serializable
    @SerialName("explained-by-setting")
    data class ExplainedBySetting(val published: List<Int>, val failing: List<Int>) : ClaimReason

    /** The claim holds only by [holding], where a setting forces it. It fails by [failing], where none does. */
    @Serializable
    @SerialName("holds-by-setting-alone")
    data class HoldsBySettingAlone(val holding: List<Int>, val failing: List<Int>) : ClaimReason

    /** Settings force the outcome of all deciding checks, [forced]. */
    @Serializable
    @SerialName("forced")
    data class Forced(val forced: List<Int>, val asPublished: AsPublished? = null) : ClaimReason

    /** [unknown] are unknown; the claim fails by [failing]. */
    @Serializable
    @SerialName("unknown")
    data class Unknown(val unknown: List<Int>, val failing: List<Int> = emptyList()) : ClaimReason
}

/** Outcome of the statements as published, where corrected ones decide. */
@Serializable
enum class AsPublished { HOLDS, FAILS, UNCLEAR }
