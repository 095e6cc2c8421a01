package threadgauge.model.judgement

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** Why a claim has its verdict. Numbers are places in [ClaimJudgement.checks], counted from 0. */
@Serializable
sealed interface ClaimReason {
    /**
     * The claim holds by [holding]. By [failing] it does not, and by [unknown] the run cannot tell. Both are empty
     * where it is confirmed.
     */
    @Serializable
    @SerialName("holds")
    data class Holds(
        val holding: List<Int>,
        val failing: List<Int> = emptyList(),
        val unknown: List<Int> = emptyList(),
        val asPublished: AsPublished? = null,
    ) : ClaimReason

    /** The claim does not hold by [failing]. What is not known by [idle] could not change that. */
    @Serializable
    @SerialName("fails")
    data class Fails(
        val failing: List<Int>,
        val idle: List<Int> = emptyList(),
        val asPublished: AsPublished? = null,
    ) : ClaimReason

    /** By [published] the claim holds, because a setting limits one side. By [failing], tested fairly, it fails. */
    @Serializable
    @SerialName("explained-by-setting")
    data class ExplainedBySetting(val published: List<Int>, val failing: List<Int>) : ClaimReason

    /** The claim holds only by [holding], where a setting forces it. By [failing], where none does, it fails. */
    @Serializable
    @SerialName("holds-by-setting-alone")
    data class HoldsBySettingAlone(val holding: List<Int>, val failing: List<Int>) : ClaimReason

    /** Settings force the outcome of all [forced] checks, which are all that decide. */
    @Serializable
    @SerialName("forced")
    data class Forced(val forced: List<Int>, val asPublished: AsPublished? = null) : ClaimReason

    /** By [unknown] the run cannot tell, by [failing] the claim does not hold. */
    @Serializable
    @SerialName("unknown")
    data class Unknown(val unknown: List<Int>, val failing: List<Int> = emptyList()) : ClaimReason
}

/** How the statements as published came out, where corrected ones decide. */
@Serializable
enum class AsPublished { HOLDS, FAILS, UNCLEAR }
