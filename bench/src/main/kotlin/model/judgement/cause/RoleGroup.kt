package threadgauge.model.judgement.cause

import kotlinx.serialization.Serializable

/** A group of threads with its role. */
@Serializable
data class RoleGroup(
    /** As [threadgauge.model.profile.ThreadGroup.name]. */
    val name: String,
    val role: ThreadRole,
    /** Number of threads; of virtual threads the mean. */
    val threads: Double,
    /** On a core, as a share of the CPU time of all groups, 0 to 1; null for virtual threads, which run on carriers. */
    val cpuShare: Double? = null,
    /** Share of the time in which its threads run, are ready, or wait within a request, 0 to 1; null where unknown. */
    val busyShare: Double? = null,
    /** The wait that takes most of their time; null where they wait for work alone. */
    val longestWait: GroupWait? = null,
)

/** What a group of threads is for. */
@Serializable
enum class ThreadRole {
    EVENT_LOOP,

    /** Each serves one request at a time. */
    REQUEST,

    /** Runs virtual threads. */
    CARRIER,
    VIRTUAL,

    /** Works off tasks, which may block. */
    BLOCKING_POOL,

    /** Collector, compiler, and what observes the JVM. */
    JVM,

    /** None of these, or unknown. */
    OTHER,
}
