package threadgauge.judge.advice

import kotlin.math.ceil
import threadgauge.model.advice.ChangeEffect
import threadgauge.model.advice.KnownChange
import threadgauge.model.advice.LimitedResource
import threadgauge.model.judgement.cause.Holder
import threadgauge.model.judgement.cause.TimeKind

/** A network after a change, with the size of the resource [from] which and [to] which it went, where it has one. */
internal class ChangedNetwork(
    val after: ServiceNetwork,
    val from: Double?,
    val to: Double?,
    /** Nobody knows how much of what is taken out of the way is really needed. */
    val isBestCase: Boolean = false,
)

/**
 * [network] with [change]; null where the effect is unknown. A resource that is not in the network limits nothing, so
 * that more of it changes nothing.
 */
internal fun changed(network: ServiceNetwork, change: KnownChange, seen: Observed): ChangedNetwork? =
    when (val effect = change.effect) {
        is ChangeEffect.Times -> resized(network, change) { ceil(it * effect.factor) }
        ChangeEffect.NoLimit -> resized(network, change) { Double.POSITIVE_INFINITY }
        is ChangeEffect.Elsewhere -> elsewhere(network, effect, seen)
        ChangeEffect.Gone -> gone(network, change, seen)
        ChangeEffect.Unknown -> null
    }

private fun resized(network: ServiceNetwork, change: KnownChange, size: (Double) -> Double): ChangedNetwork {
    fun grown(stations: List<Station>) = stations
        .map { if (it.isOf(change)) it.copy(servers = size(it.servers)) else it }
        .filter { it.servers.isFinite() }
    val own = (network.stations + network.threads).firstOrNull { it.isOf(change) }
    val from = own?.servers ?: change.usual?.toDouble()
    val to = from?.let(size)?.takeIf { it.isFinite() }
    val unheld = network.stations.filter { it.isOf(change) && !size(it.servers).isFinite() }.sumOf { it.holdMicros }
    val after = network.copy(
        stations = grown(network.stations), threads = grown(network.threads),
        delayMicros = network.delayMicros + unheld,
    )
    return ChangedNetwork(after, from, to)
}

internal fun Station.isOf(change: KnownChange): Boolean =
    resource == change.resource && change.evidence.of?.let { Regex(it).containsMatchIn(name.orEmpty()) } != false

/** The blocked part of the loops is done by other threads, the rest stays. */
private fun elsewhere(network: ServiceNetwork, effect: ChangeEffect.Elsewhere, seen: Observed): ChangedNetwork? {
    val loop = seen.because.holder as? Holder.EventLoop ?: return null
    val share = (loop.blockedShare / loop.busyShare).coerceIn(0.0, 1.0)
    val own = network.stations.firstOrNull { it.resource == LimitedResource.EVENT_LOOPS } ?: return null
    val others = network.stations.filter { it != own } + own.copy(holdMicros = own.holdMicros * (1 - share)) +
        Station(LimitedResource.TASK_THREADS, null, effect.threads.toDouble(), own.holdMicros * share)
    return ChangedNetwork(network.copy(stations = others), own.servers, effect.threads.toDouble())
}

private fun gone(network: ServiceNetwork, change: KnownChange, seen: Observed): ChangedNetwork? {
    val isCollector = change.resource == LimitedResource.COLLECTOR
    val after = when {
        isCollector -> withoutCollector(network, seen.because.holder as? Holder.Collector ?: return null)
        change.resource == LimitedResource.NAME_LOOKUPS -> {
            val micros = seen.because.split.filter { it.kind == TimeKind.NAME_LOOKUP }.sumOf { it.micros }
            network.copy(delayMicros = maxOf(0.0, network.delayMicros - micros))
        }
        else -> network.copy(stations = network.stations.filterNot { it.isOf(change) })
    }
    val heap = seen.heapMegabytes?.takeIf { isCollector }
    return ChangedNetwork(after, heap, heap?.times(2), isBestCase = true)
}

/** While all threads stand still, every resource that is held stays held; its threads take their share of the CPU. */
private fun withoutCollector(network: ServiceNetwork, collector: Holder.Collector): ServiceNetwork {
    val running = 1 - (collector.pauseShare ?: 0.0).coerceIn(0.0, MOST)
    val cpu = 1 - (collector.cpuShare ?: 0.0).coerceIn(0.0, MOST)
    fun left(resource: LimitedResource) = if (resource == LimitedResource.PROCESSOR) minOf(cpu, running) else running
    return network.copy(
        stations = network.stations.map { it.copy(holdMicros = it.holdMicros * left(it.resource)) },
        delayMicros = network.delayMicros * running,
    )
}

/** Some collecting is always needed. */
private const val MOST = 0.95
