package threadgauge.judge.cause

import threadgauge.model.judgement.cause.CodePlace
import threadgauge.model.judgement.cause.HotPlace
import threadgauge.model.judgement.cause.ThreadRole

/**
 * Where the processor spends most time: in a method of the user's code, with all that it calls, or in one of a library
 * where the user's code has hardly any part in it. Of one [group], or of all that serve requests. Null where too few
 * samples were taken: the sampler counts the CPU time of each thread by itself, so it may miss most of many threads.
 */
internal fun hottestOf(view: ProfileView, group: GroupKey? = null): HotPlace? {
    val samples = view.profile.running.filter { sample ->
        val key = groupOf(sample.threads, sample.isVirtual)
        if (group != null) key == group else view.roles[key] != ThreadRole.JVM
    }
    val all = samples.sumOf { it.samples }.toDouble()
    if (all < CauseThresholds.FEWEST_SAMPLES) return null
    val places = samples.mapNotNull { sample ->
        view.profile.traceOf(sample.trace)?.let(::placeOf)?.let { it to sample.samples }
    }
    val methods = places.groupBy { (place, _) -> listOf(place.isOwn, place.at.type, place.at.method) }.values
        .map { HotPlace(it.mostSeen(), it.sumOf { (_, count) -> count } / all) }
        .sortedByDescending { it.share }
    return methods.firstOrNull { it.place.isOwn && it.share >= CauseThresholds.OWN_CODE } ?: methods.firstOrNull()
}

/** The line that most samples are in, with the method that it calls, if most of them are in that. */
private fun List<Pair<CodePlace, Long>>.mostSeen(): CodePlace {
    val byCall = groupBy { (place, _) -> place.calls?.let { it.type to it.method } }.values.maxBy { it.samples() }
    val isMost = byCall.samples() >= CauseThresholds.MOSTLY * samples()
    val place = (if (isMost) byCall else this).groupBy { (place, _) -> place.at }.values.maxBy { it.samples() }
        .maxBy { it.second }.first
    return if (isMost) place else place.copy(calls = null)
}

private fun List<Pair<CodePlace, Long>>.samples() = sumOf { it.second }
