package threadgauge.judge.cause

import threadgauge.model.judgement.cause.ThreadRole
import threadgauge.model.profile.Profile
import threadgauge.model.profile.ThreadGroup

/**
 * A [profile] with what its names and traces mean. At least one request was answered in it. [measuredShare]: the busy
 * share of its cores in what was measured, which has no cost of profiling in it; null where that is unknown.
 */
internal class ProfileView(val profile: Profile, measuredShare: Double? = null) {
    val roles: Map<GroupKey, ThreadRole> = rolesOf(profile)
    val waits: List<WaitTime> = waitTimesOf(profile, roles)
    val groups: List<GroupLoad> = loadsOf(profile, roles, waits)

    /** By Little's law (Little, *Operations Research* 9, 1961). */
    val inFlight: Double = profile.answered * profile.meanMicros / (profile.windowMillis * 1e3)

    /** Groups that are not of the JVM, in which requests are served. */
    private val serving: List<ThreadGroup> =
        profile.threads.filter { roles[GroupKey(it.name, isVirtual = false)] != ThreadRole.JVM }

    /** CPU time of what serves requests; of all the process where groups are unknown, null where that is, too. */
    val servingCpuMillis: Double? =
        if (profile.threads.isEmpty()) profile.cpuMillis else serving.sumOf { it.cpuMillis }

    val readyMillis: Double = serving.sumOf { it.waitedForCoreMillis ?: 0.0 }

    private val cpuMillis: Double? =
        profile.cpuMillis ?: profile.threads.takeIf { it.isNotEmpty() }?.sumOf { it.cpuMillis }

    /** Busy share of its cores in the profile, which profiling takes a part of; null where unknown. */
    private val profiledShare: Double? =
        cpuMillis?.let { (it / (profile.windowMillis * profile.cores)).coerceIn(0.0, 1.0) }

    /** Busy share of its cores, as measured if possible; null where unknown. */
    val processorShare: Double? = measuredShare?.coerceIn(0.0, 1.0) ?: profiledShare

    /** Mean number of threads that are ready to run, and wait for a core. */
    val ready: Double get() = readyMillis / profile.windowMillis

    /**
     * Its cores are busy, although it does not have all of them: a thread waits for each at any time. Threads wait in
     * the profile, so it is the profile that must leave a part to others; where profiling fills the cores, that is why.
     */
    val sharesProcessor: Boolean get() = ready >= profile.cores &&
        (profiledShare ?: 0.0).let { it < CauseThresholds.BUSY && it >= CauseThresholds.SHARED } &&
        (processorShare ?: 0.0) >= CauseThresholds.SHARED

    val isProcessorBusy: Boolean get() = (processorShare ?: 0.0) >= CauseThresholds.BUSY || sharesProcessor

    /** What serves requests would keep its cores busy without the JVM's own threads, such as those of compilers. */
    val isFilledByRequests: Boolean
        get() = (servingCpuMillis ?: 0.0) >= CauseThresholds.BUSY * profile.windowMillis * profile.cores

    /** It was seen what threads do. */
    val hasThreads: Boolean get() = profile.dumps > 0 || profile.threads.isNotEmpty()

    /**
     * The groups of one [role] whose threads are all busy while more requests are in flight than it has threads, the
     * busiest first. A pool that has a thread for each request is busy, too, but nothing waits for it.
     */
    fun exhausted(role: ThreadRole): List<GroupLoad> = groups
        .filter { it.role == role && it.threads > 0 && it.isGrown && it.busyShare >= it.limit }
        .filter { inFlight >= CauseThresholds.QUEUED * it.threads }
        .sortedByDescending { it.busyShare }

    private val GroupLoad.limit get() = when {
        role == ThreadRole.EVENT_LOOP -> CauseThresholds.BUSY
        // Every pool of a name that Java gives is in this group, the idle ones as well.
        group.name in SEVERAL_POOLS -> CauseThresholds.MOSTLY
        else -> CauseThresholds.POOL_BUSY
    }

    /** Per request, in microseconds, of what keeps so many threads busy on average. */
    fun microsOf(threads: Double): Double = threads * profile.windowMillis * 1e3 / profile.answered
}

/** Names of threads where a pool has none of its own. */
private val SEVERAL_POOLS = setOf("pool-#-thread-#", "ForkJoinPool-#-worker-#")
