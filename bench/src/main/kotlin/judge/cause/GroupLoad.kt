package threadgauge.judge.cause

import kotlin.math.roundToInt
import threadgauge.model.judgement.cause.GroupWait
import threadgauge.model.judgement.cause.RoleGroup
import threadgauge.model.judgement.cause.ThreadRole
import threadgauge.model.judgement.cause.TimeKind
import threadgauge.model.profile.PoolKind
import threadgauge.model.profile.Profile

/** How busy the threads of a group are. */
internal class GroupLoad(
    val group: GroupKey,
    val role: ThreadRole,
    /** Number of threads that share the work. */
    val threads: Double,
    val cpuMillis: Double?,
    /** Mean number of threads on a core, or ready for one. */
    private val running: Double,
    /** Mean number of threads in a wait within a request. */
    private val waiting: Double,
    private val longest: WaitTime?,
    /** It may have no more threads than it has; true where no limit is known. */
    val isGrown: Boolean,
) {
    val runningShare: Double get() = share(running)
    val waitingShare: Double get() = share(waiting)

    /** The utilization of the group: the share of the time of all its threads in which they are not free. */
    val busyShare: Double get() = share(running + waiting)

    val isMostlyWaiting: Boolean get() = waitingShare >= CauseThresholds.MOSTLY * busyShare

    /** The wait that takes most of their time; null where they wait for work alone. */
    val longestWait: GroupWait? get() = longest?.let { GroupWait(it.kind, it.place, it.on, share(it.threads)) }

    private fun share(of: Double) = if (threads > 0) (of / threads).coerceAtMost(1.0) else 0.0
}

/** Every group of [profile] with its role, the one with the most CPU time first. */
internal fun loadsOf(profile: Profile, roles: Map<GroupKey, ThreadRole>, waits: List<WaitTime>): List<GroupLoad> =
    roles.map { (group, role) -> loadOf(profile, group, role, waits.filter { it.group == group }) }
        .sortedByDescending { it.cpuMillis ?: 0.0 }

private fun loadOf(profile: Profile, group: GroupKey, role: ThreadRole, waits: List<WaitTime>): GroupLoad {
    val counted = profile.threads.filter { it.name == group.name }.takeUnless { group.isVirtual }.orEmpty()
    val seen = profile.seen.filter { groupOf(it.threads, it.isVirtual) == group }.sumOf { it.mean }
    // A virtual thread that waits for a carrier is not busy with anything else.
    val own = waits.filter { it.kind != TimeKind.THREAD }
    val waiting = own.sumOf { it.threads }
    val threads = counted.sumOf { it.count }.toDouble().takeIf { it > 0 } ?: maxOf(seen, waiting)
    val running = counted.sumOf { it.cpuMillis + (it.waitedForCoreMillis ?: 0.0) } / profile.windowMillis
    val isBlockedLoop = role == ThreadRole.EVENT_LOOP && SEVERAL_GROUPS.containsMatchIn(group.name) && waiting > running
    return GroupLoad(
        group, role,
        threads = if (isBlockedLoop) minOf(threads, maxOf(profile.cores, waiting.roundToInt()).toDouble()) else threads,
        cpuMillis = counted.sumOf { it.cpuMillis }.takeIf { counted.isNotEmpty() },
        running = running,
        waiting = waiting,
        longest = own.maxByOrNull { it.threads },
        isGrown = profile.maxOf(role)?.let { threads >= CauseThresholds.GROWN * it } ?: true,
    )
}

/** The most threads that a group of this [role] may have, where a pool reports it. */
private fun Profile.maxOf(role: ThreadRole): Int? =
    pools.singleOrNull { it.kind == PoolKind.TOMCAT_THREADS }?.max.takeIf { role == ThreadRole.REQUEST }

internal fun GroupLoad.described(allCpuMillis: Double): RoleGroup = RoleGroup(
    name = group.name,
    role = role,
    threads = threads,
    cpuShare = cpuMillis?.takeIf { allCpuMillis > 0 }?.div(allCpuMillis),
    busyShare = busyShare.takeIf { threads > 0 && (cpuMillis != null || group.isVirtual) },
    longestWait = longestWait,
)

/**
 * Netty names the loops that accept, those that read and those that run handlers alike. Handlers run on one group of
 * them, usually with a loop for each core, so that the others must not make it look idle while it is blocked.
 */
private val SEVERAL_GROUPS = Regex("EventLoopGroup(Proxy)?-#-#", RegexOption.IGNORE_CASE)
