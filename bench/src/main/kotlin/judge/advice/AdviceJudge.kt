package threadgauge.judge.advice

import threadgauge.judge.cause.NamedResources
import threadgauge.judge.cause.ProfileView
import threadgauge.model.HEAP_FACT
import threadgauge.model.Record
import threadgauge.model.Sample
import threadgauge.model.Trial
import threadgauge.model.advice.ChangeEffect
import threadgauge.model.advice.ChangeSetting
import threadgauge.model.advice.KnownChange
import threadgauge.model.advice.LimitedResource
import threadgauge.model.advice.Operation
import threadgauge.model.amount
import threadgauge.model.judgement.SituationJudgement
import threadgauge.model.judgement.advice.Advice
import threadgauge.model.judgement.advice.AdvisedChange
import threadgauge.model.judgement.advice.ChangeOutcome
import threadgauge.model.judgement.cause.Because
import threadgauge.model.judgement.cause.CodePlace
import threadgauge.model.judgement.cause.Holder
import threadgauge.model.judgement.cause.TimeKind
import threadgauge.model.judgement.map.Gain
import threadgauge.model.users

/**
 * Advice for each request of a run that asks for it, from the load that shows best what holds the service. Empty where
 * the run does not ask, where it carries changes out, and for requests without a profile.
 */
internal fun adviceOf(record: Record, judged: List<SituationJudgement>): List<Advice> {
    val asked = record.plan.advice?.takeIf { it.proofs.isEmpty() } ?: return emptyList()
    val stack = record.plan.stacks.first().name
    val trials = record.trials.filter { it.stack == stack }
    return judged.groupBy { it.situation.request }.values.mapNotNull { loads ->
        val seen = loads.mapNotNull { observed(it, stack, trials, asked.changes) }
        tellingLoad(seen)?.let { advice(it, stack) }
    }
}

internal fun observed(
    judged: SituationJudgement,
    stack: String,
    trials: List<Trial>,
    changes: List<KnownChange>,
): Observed? {
    val name = judged.situation.name
    val because = judged.cells.firstOrNull { it.stack == stack }?.because ?: return null
    val trial = trials.firstOrNull { it.stack == stack && it.number == because.trial } ?: return null
    val profile = trial.profiles.firstOrNull { it.situation == name } ?: return null
    val sample = trial.samples.firstOrNull { it.situation == name && it.isUsable } ?: return null
    return Observed(
        judged.situation, sample, ProfileView(profile), because, changes, heapMegabytes(trial), served(trial, sample),
    )
}

/** Of the self-description, or of the facts that the JVM tells of any process: "1,024 MB". */
private fun heapMegabytes(trial: Trial): Double? = trial.runtime?.heapMaxBytes?.takeIf { it > 0 }?.let { it / 1e6 }
    ?: trial.facts[HEAP_FACT]?.filter { it.isDigit() }?.toDoubleOrNull()?.takeIf { it > 0 }

/**
 * Iterations of a warm-up follow each other, so each lasts until the next begins. Nobody knows what a process served
 * that was not started by the run; it is taken to be enough.
 */
private fun served(trial: Trial, until: Sample): Double {
    if (trial.boot == null) return Double.POSITIVE_INFINITY
    val warmUp = trial.warmUp
    val ends = warmUp?.iterations.orEmpty().drop(1).map { it.atMillis } + listOfNotNull(warmUp?.millis)
    val warming = warmUp?.iterations.orEmpty().zip(ends).sumOf { (one, end) ->
        one.answeredPerSecond * (end - one.atMillis) / 1e3
    }
    return warming + trial.samples.filter { it.atMillis <= until.atMillis }.sumOf { it.counts.answered.toDouble() }
}

private val Sample.isUsable get() = answeredInWindow > 0 && latency.meanMicros > 0

/**
 * Of several loads the smallest that comes near to the highest throughput and at which something of the service is at
 * its limit. Where nothing ever is, the largest of those.
 */
internal fun tellingLoad(seen: List<Observed>): Observed? {
    val best = seen.maxOfOrNull { it.sample.perSecond } ?: return null
    val near = seen.filter { it.sample.perSecond >= NEAR * best }.sortedBy { it.situation.load.amount ?: 0.0 }
    return near.firstOrNull { it.because.holder !is Holder.Load && it.because.holder !is Holder.Unknown } ?: near.last()
}

private fun advice(seen: Observed, stack: String): Advice {
    val network = networkOf(seen)
    val now = Operation(seen.sample.perSecond, seen.sample.latency.meanMicros)
    val changes = seen.changes.filter { isFor(it, network, seen) }.mapNotNull { advised(it, network, seen, now) }
    return Advice(stack, seen.situation.name, now, network.limits, changes.sortedWith(BEST_FIRST))
}

private val BEST_FIRST = compareBy<AdvisedChange> {
    when (it.outcome) {
        is ChangeOutcome.Gain -> 0
        is ChangeOutcome.Nothing -> 1
        ChangeOutcome.Unknown -> 2
    }
}.thenByDescending { (it.outcome as? ChangeOutcome.Gain)?.prediction?.perSecond?.value ?: 0.0 }

private fun advised(change: KnownChange, network: ServiceNetwork, seen: Observed, now: Operation): AdvisedChange? {
    if (change.effect == ChangeEffect.Unknown || isOfMemory(change, seen)) {
        return AdvisedChange(change, setting = change.setting?.text(""), outcome = ChangeOutcome.Unknown)
    }
    val changed = changed(network, change, seen) ?: return null
    // The best that can be is not limited by CPU time that is less once code is compiled.
    val after = if (changed.isBestCase && !seen.isCompiled) changed.after.withoutProcessor() else changed.after
    val prediction = when {
        changed.isBestCase -> atMost(now, network, after)
        seen.isCompiled -> predict(now, network, after)
        else -> atLeast(now, network, after)
    }
    val isGain = gainOf(prediction) == Gain.MORE
    val limit = (if (isGain) after else network).limits.firstOrNull()
    return AdvisedChange(
        change, changed.from, changed.to, change.setting?.let { settingOf(it, changed.to) },
        place = if (change.setting == null) placeOf(change, seen.because) else null,
        outcome = if (isGain) ChangeOutcome.Gain(prediction, limit) else ChangeOutcome.Nothing(prediction, limit),
    )
}

/**
 * A collector that holds a service is a cliff: a change that needs some megabytes less may gain ten times, and one that
 * needs a few more may end it. No change but that of the heap says how many it needs.
 */
private fun isOfMemory(change: KnownChange, seen: Observed) =
    seen.because.holder is Holder.Collector && change.resource != LimitedResource.COLLECTOR

/** Null where the value is a size, and it is unknown. */
private fun settingOf(setting: ChangeSetting, to: Double?): String? = when {
    ChangeSetting.VALUE !in setting.value -> setting.text("")
    to != null -> setting.text(Math.round(to).toString())
    else -> null
}

/** Whether [change] exists for the service, and is about something that it has. */
private fun isFor(change: KnownChange, network: ServiceNetwork, seen: Observed): Boolean {
    val profile = seen.view.profile
    val java = profile.java
    if (change.minJava != null && java != null && java < change.minJava) return false
    val evidence = change.evidence
    val names = profile.threads.map { it.name } + profile.seen.map { it.threads }
    val hasThreads = evidence.threads?.let { text -> Regex(text).let { names.any(it::containsMatchIn) } } ?: true
    val hasClasses = evidence.classes.isEmpty() ||
        profile.traces.any { trace -> trace.frames.any { frame -> evidence.classes.any(frame.type::startsWith) } }
    return hasThreads && hasClasses && hasResource(change, network, seen)
}

private fun hasResource(change: KnownChange, network: ServiceNetwork, seen: Observed): Boolean {
    val holder = seen.because.holder
    return when (change.resource) {
        LimitedResource.REQUEST_THREADS, LimitedResource.TASK_THREADS -> true
        LimitedResource.EVENT_LOOPS ->
            change.effect !is ChangeEffect.Elsewhere || holder is Holder.EventLoop && holder.blocking != null
        LimitedResource.CARRIERS -> network.stations.any { it.isOf(change) } || holder is Holder.CarriersPinned
        LimitedResource.CONNECTIONS -> {
            val pools = seen.view.profile.traces.mapNotNull { NamedResources.poolOf(it.frames) }
            network.stations.any { it.isOf(change) } ||
                change.evidence.of?.let { text -> pools.any(Regex(text)::containsMatchIn) } == true
        }
        LimitedResource.LOCK -> network.stations.any { it.isOf(change) }
        LimitedResource.COLLECTOR -> holder is Holder.Collector
        LimitedResource.NAME_LOOKUPS ->
            seen.because.split.filter { it.kind == TimeKind.NAME_LOOKUP }.sumOf { it.micros } >=
                LOOKED_UP * seen.because.meanMicros
        LimitedResource.ACCEPTED_CONNECTIONS -> (seen.situation.load.users ?: 0) > (change.usual ?: Int.MAX_VALUE)
        LimitedResource.USERS, LimitedResource.ARRIVALS, LimitedResource.PROCESSOR -> false
    }
}

private fun placeOf(change: KnownChange, because: Because): CodePlace? = when (change.resource) {
    LimitedResource.LOCK -> (because.holder as? Holder.Lock)?.place
    LimitedResource.EVENT_LOOPS -> (because.holder as? Holder.EventLoop)?.blocking?.place
    LimitedResource.CONNECTIONS -> (because.holder as? Holder.ConnectionPool)?.place
    LimitedResource.NAME_LOOKUPS -> because.split.firstOrNull { it.kind == TimeKind.NAME_LOOKUP }?.place
    else -> null
}

/** Throughput so near to the highest is as high. A measurement of seconds varies as much. */
private const val NEAR = 0.9

/** A share of the latency from which looking up names is worth a change. */
private const val LOOKED_UP = 0.1
