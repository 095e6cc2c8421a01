package threadgauge.report.format

import threadgauge.model.Sample

/** A raw value of a trial: its name, and how it is read from a sample. */
internal class Raw(val heading: String, val of: (Sample) -> String)

/** In the order request, answers, latency, cost, machine, load agent. */
internal val RAW = listOf(
    Raw("Answers/s") { number(it.perSecond) },
    Raw("Window s") { number(it.windowMillis / 1000) },
    Raw("Scheduled") { number(it.counts.scheduled) },
    Raw("Sent") { number(it.counts.sent) },
    Raw("Answered") { number(it.counts.answered) },
    Raw("Answered in window") { number(it.answeredInWindow) },
    Raw("Failed") { sample ->
        val failures = sample.counts.failures.filterValues { it > 0 }
        if (failures.isEmpty()) "0" else failures.entries.joinToString("; ") { "${number(it.value)} ${it.key.words}" }
    },
    Raw("Unfinished") { number(it.counts.unfinished) },
    Raw("Unsent") { number(it.counts.unsent) },
    Raw("Connections") { number(it.counts.connectionsOpened) },
    Raw("Mean ms") { number(it.latency.meanMicros / 1000) },
    Raw("p50 ms") { number(it.latency.p50Micros / 1000) },
    Raw("p90 ms") { number(it.latency.p90Micros / 1000) },
    Raw("p99 ms") { number(it.latency.p99Micros / 1000) },
    Raw("p99.9 ms") { sample -> sample.latency.p999Micros?.let { number(it / 1000) } ?: NOTHING },
    Raw("Max ms") { number(it.latency.maxMicros / 1000) },
    Raw("p99 service time, ms") { number(it.serviceTime.p99Micros / 1000) },
    Raw("p99 send delay, ms") { number(it.sendDelay.p99Micros / 1000) },
    Raw("CPU user s") { sample -> sample.cost.cpuUserMillis?.let { number(it / 1000) } ?: NOTHING },
    Raw("CPU system s") { sample -> sample.cost.cpuSystemMillis?.let { number(it / 1000) } ?: NOTHING },
    Raw("Switches voluntary") { sample -> sample.cost.voluntarySwitches?.let { number(it) } ?: NOTHING },
    Raw("Switches involuntary") { sample -> sample.cost.involuntarySwitches?.let { number(it) } ?: NOTHING },
    Raw("Memory MB") { sample -> sample.cost.rssBytesMax?.let { number(it / 1e6) } ?: NOTHING },
    Raw("Threads") { sample -> sample.cost.threadsMax?.let { number(it) } ?: NOTHING },
    Raw("Collections") { sample ->
        sample.cost.jvm?.let { "${number(it.collections)}, ${millis(it.collectionMillis)}" } ?: NOTHING
    },
    Raw("Allocated MB") { sample -> sample.cost.jvm?.allocatedBytes?.let { number(it / 1e6) } ?: NOTHING },
    Raw("Taken by hypervisor") { sample -> sample.cost.steal?.let { percent(it) } ?: NOTHING },
    Raw("Reference loop, µs: before, during, after") { sample ->
        val around = sample.surroundings
        val times = listOf(around?.referenceBeforeMicros, around?.referenceDuringMicros, around?.referenceAfterMicros)
        if (times.all { it == null }) NOTHING else times.joinToString(", ") { it?.let(::number) ?: NOTHING }
    },
    Raw("Agent CPU s") { number(it.agent.cpuMillis / 1000) },
    Raw("Maximum agent lag, ms") { number(it.agent.loopLagMicrosMax / 1000) },
    Raw("Histogram file") { it.hlog },
)
