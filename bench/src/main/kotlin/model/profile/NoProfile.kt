package threadgauge.model.profile

import kotlinx.serialization.Serializable

/** Why nothing is known of what a process did under load. */
@Serializable
data class NoProfile(
    val reason: NoProfileReason,
    /** What the system said, or the version of its Java; null where there is nothing to add. */
    val detail: String? = null,
)

/** Why a process has no profile, or a situation none of it. */
@Serializable
enum class NoProfileReason {
    /** It runs where its process cannot be seen. */
    NO_PROCESS,
    NOT_A_JVM,

    /** A JVM answers questions from its own network alone, and its container has one. */
    NETWORK_OF_ITS_OWN,

    /** Its JVM cannot be attached to. */
    REFUSED,

    /** Its Java is older than 17. */
    TOO_OLD,

    /** The measured load is too short for a part of it to show anything. */
    TOO_SHORT,

    /** No part of the load is like the whole. */
    UNEVEN,

    /** The run's time limit left too little for it. */
    NO_TIME,

    /** The profiled load had no correct answer. */
    NO_ANSWERS,
}
