package threadgauge.judge

import kotlin.math.ln
import threadgauge.judge.cause.becauseOf
import threadgauge.judge.cause.noCauseOf
import threadgauge.judge.ceiling.ceilings
import threadgauge.judge.ceiling.heldCeiling
import threadgauge.judge.ceiling.processorCeiling
import threadgauge.judge.compare.CONFIDENCE
import threadgauge.judge.doubt.CellEvidence
import threadgauge.judge.doubt.Evidence
import threadgauge.judge.doubt.doubtsOf
import threadgauge.judge.machine.spreadOf
import threadgauge.judge.scenario.scenariosOf
import threadgauge.model.Record
import threadgauge.model.Sample
import threadgauge.model.Situation
import threadgauge.model.Stack
import threadgauge.model.Trial
import threadgauge.model.judgement.CellJudgement
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.Figure
import threadgauge.model.judgement.Validity
import threadgauge.model.memoryBytes
import threadgauge.model.part
import threadgauge.model.threads
import threadgauge.model.users
import threadgauge.stats.LogDistribution
import threadgauge.stats.Merged
import threadgauge.stats.Timed
import threadgauge.stats.histogramOf
import threadgauge.stats.intervalOf
import threadgauge.stats.median
import threadgauge.stats.spreadOf
import threadgauge.stats.timeToPeakMillis

/** Figures, doubts and ceilings of one stack in one situation, over all its trials. */
internal fun judgeCell(record: Record, stack: Stack, situation: Situation): JudgedCell {
    val trials = record.trials.filter { it.stack == stack.name }.sortedBy { it.number }
    val evidence = trials.flatMap { trial ->
        trial.samples.filter { it.situation == situation.name }
            .map { Evidence(situation, trial, it, record.environment) }
    }
    val samples = evidence.map { it.sample }
    val throughput = typical(samples.map { it.perSecond })
    val cpu = typical(samples.filter { it.answeredInWindow > 0 }.mapNotNull { it.cpuMicrosPerRequest })
    val memory = typical(evidence.mapNotNull { it.trial.memoryBytes(it.sample)?.div(1e6) })
    val allocated =
        typical(if (stack.hasOneJvm) samples.mapNotNull { it.allocatedKilobytesPerRequest } else emptyList())
    val merged = merged(samples)
    val p50 = percentile(merged, 0.50, samples.map { it.latency.p50Micros })
    val p90 = percentile(merged, 0.90, samples.map { it.latency.p90Micros })
    val p99 = percentile(merged, 0.99, samples.map { it.latency.p99Micros })
    val iteration = record.plan.experiment.warmUp.loadNanos / 1e6
    val plateau = plateauOf(trials, situation.name)
    val doubts = doubtsOf(evidence, CellEvidence(situation, stack, record, trials, samples, plateau))
    val keepsUp =
        situation.load.users == null && samples.isNotEmpty() && median(samples.map { it.shareInTime }) > KEPT_UP
    val because = becauseOf(trials, situation, isServed = keepsUp)
    val cell = CellJudgement(
        stack = stack.name,
        title = record.plan.titles.getValue(stack.name),
        model = stack.model,
        validity = doubts.maxOfOrNull { it.validity } ?: Validity.VALID,
        doubts = doubts,
        // Only for stacks that keep the contract does a path such as /delay/100 have a known duration.
        ceilings = buildList {
            if (stack.keepsContract && situation.scenarios.isEmpty()) {
                addAll(ceilings(situation, trials.runtime, throughput.figure?.value, hasLeadIn(situation, trials)))
            }
            if (!stack.keepsContract) heldCeiling(because, throughput.figure?.value)?.let(::add)
            processorCeiling(record.environment, cpu.figure?.value, throughput.figure?.value)?.let(::add)
        },
        trials = evidence.size,
        throughput = throughput.figure,
        p50Millis = p50.figure,
        p90Millis = p90.figure,
        p99Millis = p99.figure,
        errorShare = typical(samples.map { it.counts.failed.toDouble() / maxOf(1, it.counts.scheduled) }).figure,
        cpuMicrosPerRequest = cpu.figure,
        switchesPerRequest = typical(
            samples.filter { it.cost.voluntarySwitches != null }.map { it.switchesPerRequest },
        ).figure,
        allocatedKilobytesPerRequest = allocated.figure,
        rssMegabytes = memory.figure,
        threads = typical(evidence.mapNotNull { it.trial.threads(it.sample)?.toDouble() }).figure,
        plateau = plateau,
        bootMillis = typical(trials.mapNotNull { it.boot?.firstAnswerMillis }).figure,
        timeToPeakMillis = typical(
            trials.mapNotNull { trial -> trial.warmUp?.let { timeToPeakMillis(it, situation.name, iteration) } },
        ).figure,
        scenarios = scenariosOf(samples),
        because = because,
        noCause = noCauseOf(trials, situation),
    )
    val spreads = mapOf(
        Compared.THROUGHPUT to throughput.spread,
        Compared.P50 to p50.spread,
        Compared.P99 to p99.spread,
        Compared.CPU to cpu.spread,
        Compared.MEMORY to memory.spread,
        Compared.ALLOCATED to allocated.spread,
    )
    val timed = mapOf(
        Compared.THROUGHPUT to timed(samples) { it.perSecond },
        Compared.CPU to timed(samples) { it.cpuMicrosPerRequest },
    )
    val rounds = mapOf(
        Compared.THROUGHPUT to RoundValues.logsOf(trials, situation.name) { it.perSecond },
        Compared.CPU to RoundValues.logsOf(trials, situation.name) { it.cpuMicrosPerRequest },
        Compared.P50 to RoundValues.logsOf(trials, situation.name) { it.latency.p50Micros },
    )
    val blocks = evidence.map { it.trial.number }
    return JudgedCell(cell, keepsUp, blocks, spreads, timed, rounds, leftByOthers(trials, situation), samples)
}

/**
 * The logarithm of the share of its cores that others left to the target in each slice: other programs, the kernel and
 * the hypervisor. A target that is short of its cores loses as much. Where it shares its cores with the load agent, of
 * the whole machine.
 */
private fun leftByOthers(trials: List<Trial>, situation: Situation): RoundValues? =
    RoundValues.of(trials, situation.name) { it.takenFromTarget?.let(::logOfRest) }
        ?: RoundValues.of(trials, situation.name) { slice ->
            slice.otherBusyShare?.let { logOfRest(it + (slice.steal ?: 0.0)) }
        }

private fun logOfRest(taken: Double) = ln(1 - minOf(taken, MAX_TAKEN))

/** Who is left less than this has no load worth measuring. */
private const val MAX_TAKEN = 0.95

/** A figure with the distribution for its interval and its comparisons. */
private class Told(val figure: Figure?, val spread: LogDistribution?)

/** The typical trial: the median of the trials, with the interval of the mean of their logarithms. */
private fun typical(values: List<Double>): Told {
    if (values.isEmpty()) return Told(null, null)
    val spread = spreadOf(values)
    return Told(figure(median(values), values, spread), spread)
}

/** Null where one of the [samples] lacks the figure, or the core's speed. */
private fun timed(samples: List<Sample>, figure: (Sample) -> Double?): Timed? =
    Timed.of(
        samples.map { figure(it) ?: return null },
        samples.map { it.surroundings?.referenceDuringMicros ?: return null },
    )

/**
 * A percentile over the requests of all trials. Older records have no histograms: for them, the median of the
 * percentiles of the trials.
 */
private fun percentile(merged: Merged?, share: Double, micros: List<Double>): Told {
    val millis = micros.map { it / 1e3 }
    if (merged == null) return typical(millis)
    val spread = merged.spread(share)
    return Told(figure(merged.percentile(share) / 1e6, millis, spread, unit = 1e6), spread)
}

/**
 * [unit] is the unit of the distribution in units of the value: a million where one is in nanoseconds and the other in
 * milliseconds.
 */
private fun figure(value: Double, values: List<Double>, spread: LogDistribution?, unit: Double = 1.0): Figure {
    val interval = spread?.let { intervalOf(it, CONFIDENCE) }
    return Figure(value, interval?.low?.div(unit), interval?.high?.div(unit), values)
}

/** From the intended time to the last byte. The distribution is of the logarithm of the percentile in nanoseconds. */
internal fun merged(samples: List<Sample>): Merged? {
    if (samples.isEmpty() || samples.any { it.distribution == null || it.latency.count == 0L }) return null
    return Merged(samples.map { histogramOf(it.distribution!!) })
}

private val List<Trial>.runtime get() = firstNotNullOfOrNull { it.runtime }

/** Whether [situation] was measured in slices. Each of them has a lead-in. */
private fun hasLeadIn(situation: Situation, trials: List<Trial>) =
    trials.any { trial -> trial.slices.any { it.situation == situation.name } } &&
        !situation.isEndless && situation.load.part(1, 0) != null

/** Null where the process could not be observed. */
internal val Sample.cpuMicrosPerRequest: Double? get() = cost.cpuMillis?.let { it * 1e3 / answeredInWindow }

internal val Sample.switchesPerRequest
    get() = ((cost.voluntarySwitches ?: 0) + (cost.involuntarySwitches ?: 0)).toDouble() / maxOf(1, counts.answered)

/**
 * Null for stacks of several processes: only the JVM of the first is observed, and it answers only a part of the
 * requests.
 */
internal val Stack.hasOneJvm get() = replicas == 1

/** Of a stack that [hasOneJvm]. Null where its JVM could not be observed, and where nothing was answered. */
internal val Sample.allocatedKilobytesPerRequest: Double?
    get() = cost.jvm?.allocatedBytes?.takeIf { counts.answered > 0 }?.let { it / 1e3 / counts.answered }

/** Answers within the window as a share of the requests due in it. */
private val Sample.shareInTime get() = answeredInWindow.toDouble() / maxOf(1, counts.scheduled)

/** Share of the requests of a window that are answered after its end. It is larger only if the target falls behind. */
private const val KEPT_UP = 0.97
