package threadgauge.judge.cause

import threadgauge.model.judgement.cause.CodePlace
import threadgauge.model.judgement.cause.Holder

/**
 * Threads that requests make and that do not end. Null where no group grows as fast as requests are answered, and where
 * it is unknown how many threads are new. It needs no dump: a process with many thousands of threads is not dumped in
 * time.
 */
internal fun newThreads(view: ProfileView): Holder.Threads? =
    view.profile.threads.filter { !it.isOfJvm }.groupBy { it.name }.firstNotNullOfOrNull { (name, groups) ->
        val atEnd = groups.sumOf { it.count }
        val perRequest = groups.sumOf { it.started ?: 0 }.toDouble() / view.profile.answered
        val isMany = atEnd >= maxOf(CauseThresholds.MANY_THREADS.toDouble(), CauseThresholds.NOT_NEEDED * view.inFlight)
        if (perRequest < CauseThresholds.NEW_THREADS || !isMany) null
        else Holder.Threads(name, atEnd, perRequest, startOfThreads(view))
    }

/** Where most samples of a start of a thread are. */
private fun startOfThreads(view: ProfileView): CodePlace? = view.profile.running
    .filter { sample -> view.profile.traceOf(sample.trace)?.frames.orEmpty().any { it isOneOf TraceCatalogue.starts } }
    .maxByOrNull { it.samples }?.let { view.profile.traceOf(it.trace) }?.let { placeOf(it) }?.takeIf { it.isOwn }
