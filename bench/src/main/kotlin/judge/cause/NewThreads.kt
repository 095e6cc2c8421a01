package threadgauge.judge.cause

import threadgauge.model.judgement.cause.CodePlace
import threadgauge.model.judgement.cause.Holder
import threadgauge.model.judgement.cause.ThreadRole

/**
 * Threads that requests make and that do not end. If a group grows evenly, its mean in the dumps is that of its first
 * and its last number, so it grew by twice the difference of the last number and the mean. Null where nothing grows as
 * fast as requests are answered, and where there are no dumps.
 */
internal fun newThreads(view: ProfileView): Holder.Threads? =
    view.groups.filter { it.role != ThreadRole.JVM && !it.group.isVirtual }.firstNotNullOfOrNull { load ->
        val profile = view.profile
        val atEnd = profile.threads.filter { it.name == load.group.name }.sumOf { it.count }
        val mean = profile.seen.filter { groupOf(it.threads, it.isVirtual) == load.group }.sumOf { it.mean }
        val perRequest = 2 * (atEnd - mean) / profile.answered
        Holder.Threads(load.group.name, atEnd, perRequest, startOfThreads(view)).takeIf {
            mean > 0 && perRequest >= CauseThresholds.NEW_THREADS &&
                atEnd >= maxOf(CauseThresholds.MANY_THREADS.toDouble(), CauseThresholds.NOT_NEEDED * view.inFlight)
        }
    }

/** Where most samples of a start of a thread are. */
private fun startOfThreads(view: ProfileView): CodePlace? = view.profile.running
    .filter { sample -> view.profile.traceOf(sample.trace)?.frames.orEmpty().any { it isOneOf TraceCatalogue.starts } }
    .maxByOrNull { it.samples }?.let { view.profile.traceOf(it.trace) }?.let { placeOf(it) }?.takeIf { it.isOwn }
