package threadgauge.load.agent

import org.HdrHistogram.Histogram
import threadgauge.load.record.newHistogram
import threadgauge.model.AgentHealth
import threadgauge.model.Received

/**
 * The result of a whole load from those of all its slices. Counts and histograms are added, which is exact: the result
 * is what a single agent would have counted. Throws `IllegalArgumentException` on an empty list.
 */
fun merge(parts: List<AgentMessage.Done>): AgentMessage.Done {
    require(parts.isNotEmpty()) { "there is nothing to merge" }
    return AgentMessage.Done(
        order = parts.first().order,
        windowNanos = parts.maxOf { it.windowNanos },
        scheduled = parts.sumOf { it.scheduled },
        sent = parts.sumOf { it.sent },
        answered = parts.sumOf { it.answered },
        answeredInWindow = parts.sumOf { it.answeredInWindow },
        unsent = parts.sumOf { it.unsent },
        unfinished = parts.sumOf { it.unfinished },
        failures = parts.flatMap { it.failures.entries }.groupingBy { it.key }
            .fold(0L) { sum, each -> sum + each.value }.toSortedMap(),
        connectionsOpened = parts.sumOf { it.connectionsOpened },
        repeated = parts.sumOf { it.repeated },
        tls = parts.flatMap { it.tls }.distinct(),
        received = Received(parts.sumOf { it.received.bodyBytes }, parts.sumOf { it.received.unpackedBytes }),
        counted = addUp(parts.map { it.counted }),
        statuses = addUp(parts.map { it.statuses }),
        serviceTime = encode(sum(parts.map { decode(it.serviceTime) })),
        sendDelay = encode(sum(parts.map { decode(it.sendDelay) })),
        health = merge(parts.map { it.health }),
        scenarios = parts.first().scenarios.indices.map { index -> mergeScenarios(parts.map { it.scenarios[index] }) },
        stream = mergeStreams(parts.mapNotNull { it.stream }),
        missingShare = parts.maxOf { it.missingShare },
    )
}

/**
 * The sum of loads that the same agents carried out one after the other: as [merge], but their windows add up. Throws
 * `IllegalArgumentException` on an empty list.
 */
fun inSequence(parts: List<AgentMessage.Done>): AgentMessage.Done = merge(parts).run {
    copy(
        windowNanos = parts.sumOf { it.windowNanos },
        health = health.copy(eventLoops = parts.maxOf { it.health.eventLoops }),
    )
}

@JvmName("mergeHealth")
private fun merge(parts: List<AgentHealth>) = AgentHealth(
    cpuMillis = parts.sumOf { it.cpuMillis },
    collections = parts.sumOf { it.collections },
    collectionMillis = parts.sumOf { it.collectionMillis },
    loopLagMicrosMax = parts.maxOf { it.loopLagMicrosMax },
    quantumMicros = parts.maxOf { it.quantumMicros },
    eventLoops = parts.sumOf { it.eventLoops },
    allocatedBytes = parts.sumOf { it.allocatedBytes },
)

internal fun sum(histograms: List<Histogram>): Histogram = newHistogram().also { sum -> histograms.forEach(sum::add) }

/** Adds up the counts of each key, sorted by key. */
internal fun <K : Comparable<K>> addUp(counts: List<Map<K, Long>>): Map<K, Long> =
    counts.flatMap { it.entries }.groupingBy { it.key }.fold(0L) { sum, each -> sum + each.value }.toSortedMap()
