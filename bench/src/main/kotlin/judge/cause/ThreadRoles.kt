package threadgauge.judge.cause

import threadgauge.model.judgement.cause.ThreadRole
import threadgauge.model.profile.Profile
import threadgauge.model.profile.Trace

/** Threads of one name, virtual or not. */
internal data class GroupKey(val name: String, val isVirtual: Boolean)

/** Most virtual threads have no name. */
internal fun groupOf(name: String, isVirtual: Boolean) =
    GroupKey(if (isVirtual && name.isEmpty()) "virtual" else name, isVirtual)

/**
 * The role of each group of [profile]: by its name, where a well-known framework gives it, otherwise by what its
 * threads do. Unknown ones are [ThreadRole.OTHER].
 */
internal fun rolesOf(profile: Profile): Map<GroupKey, ThreadRole> {
    val traces = profile.tracesByGroup()
    val hasVirtual = traces.keys.any { it.isVirtual }
    val native = profile.threads.filter { it.isOfJvm }.map { it.name }.toSet()
    val groups = profile.threads.map { GroupKey(it.name, isVirtual = false) } + traces.keys
    return groups.distinct().associateWith { group ->
        when {
            group.isVirtual -> ThreadRole.VIRTUAL
            group.name in native -> ThreadRole.JVM
            else -> ThreadRoleNames.roleOf(group.name, hasVirtual) ?: byTraces(traces[group].orEmpty(), hasVirtual)
        }
    }
}

/** The role to which most threads belong by their traces, each of which counts as often as it was seen. */
private fun byTraces(traces: List<Pair<Trace, Double>>, hasVirtual: Boolean): ThreadRole =
    traces.groupingBy { (trace, _) -> roleOf(trace, hasVirtual) }
        .fold(0.0) { sum, (_, weight) -> sum + weight }
        .filterKeys { it != ThreadRole.OTHER }
        .maxByOrNull { it.value }?.key ?: ThreadRole.OTHER

private fun roleOf(trace: Trace, hasVirtual: Boolean): ThreadRole {
    fun has(calls: List<Calls>) = trace.frames.any { it isOneOf calls }
    return when {
        has(TraceCatalogue.eventLoops) -> ThreadRole.EVENT_LOOP
        has(TraceCatalogue.servers) -> ThreadRole.REQUEST
        has(TraceCatalogue.forkJoin) -> if (hasVirtual) ThreadRole.CARRIER else ThreadRole.BLOCKING_POOL
        has(TraceCatalogue.workers) -> ThreadRole.BLOCKING_POOL
        else -> ThreadRole.OTHER
    }
}

/** Traces with the number of threads that were seen with them, or the number of waits and samples. */
private fun Profile.tracesByGroup(): Map<GroupKey, List<Pair<Trace, Double>>> {
    val all = seen.map { Triple(groupOf(it.threads, it.isVirtual), it.trace, it.mean) } +
        waits.map { Triple(groupOf(it.threads, it.isVirtual), it.trace, it.count.toDouble()) } +
        running.map { Triple(groupOf(it.threads, it.isVirtual), it.trace, it.samples.toDouble()) }
    return all.groupBy({ it.first }) { (_, trace, weight) -> traceOf(trace)?.let { it to weight } }
        .mapValues { it.value.filterNotNull() }
}

/** Null where the index is unknown. */
internal fun Profile.traceOf(index: Int?): Trace? = index?.let(traces::getOrNull)
