package threadgauge.judge.cause

import threadgauge.model.judgement.cause.CodePlace
import threadgauge.model.judgement.cause.HotPlace
import threadgauge.model.judgement.cause.ThreadRole

/**
 * Where the processor spends most time: in a method of the user's code, with all that it calls, or in one of a library
 * where the user's code has hardly any part in it. Of one [group], or of all that serve requests. Null without samples.
 */
internal fun hottestOf(view: ProfileView, group: GroupKey? = null): HotPlace? {
    val samples = view.profile.running.filter { sample ->
        val key = GroupKey(sample.threads, sample.isVirtual)
        if (group != null) key == group else view.roles[key] != ThreadRole.JVM
    }
    val all = samples.sumOf { it.samples }.toDouble()
    if (all <= 0) return null
    val places = samples.mapNotNull { sample ->
        view.profile.traceOf(sample.trace)?.let(::placeOf)?.let { it to sample.samples }
    }
    val methods = places.groupBy { (place, _) -> listOf(place.isOwn, place.at.type, place.at.method) }.values
        .map { HotPlace(it.mostSeen(), it.sumOf { (_, count) -> count } / all) }
        .sortedByDescending { it.share }
    return methods.firstOrNull { it.place.isOwn && it.share >= CauseThresholds.OWN_CODE } ?: methods.firstOrNull()
}

/** The line that most samples are in. */
private fun List<Pair<CodePlace, Long>>.mostSeen(): CodePlace =
    groupBy { (place, _) -> place.at }.maxBy { (_, its) -> its.sumOf { it.second } }.value.maxBy { it.second }.first
