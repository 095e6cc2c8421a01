package threadgauge.judge

import threadgauge.model.CellJudgement
import threadgauge.model.Doubt
import threadgauge.model.Figure
import threadgauge.model.Record
import threadgauge.model.Repeat
import threadgauge.model.RepeatState
import threadgauge.model.Sample
import threadgauge.model.Situation
import threadgauge.model.Stack
import threadgauge.model.Validity
import threadgauge.stats.median
import threadgauge.stats.typicalInterval

/** Figures, doubts and ceilings of one stack in one situation, over all its repeats. */
internal fun judgeCell(record: Record, stack: Stack, situation: Situation): CellJudgement {
    val repeats = record.repeats.filter { it.stack == stack.name }
    val evidence = repeats.flatMap { repeat ->
        repeat.samples.filter { it.situation == situation.name }.map { Evidence(situation, repeat, it, record.environment) }
    }
    val doubts = doubtsOf(evidence) + listOfNotNull(unmeasured(repeats, situation))
    val throughput = figure(evidence) { sample.perSecond }
    return CellJudgement(
        stack = stack.name,
        title = stack.title,
        model = stack.model,
        validity = doubts.maxOfOrNull { it.validity } ?: Validity.VALID,
        doubts = doubts,
        ceilings = if (!stack.keepsContract) emptyList() else
            ceilings(situation, repeats.firstNotNullOfOrNull { it.runtime }, throughput?.median),
        repeats = evidence.size,
        throughput = throughput,
        p50Millis = figure(evidence) { sample.latency.p50Micros / 1e3 },
        p90Millis = figure(evidence) { sample.latency.p90Micros / 1e3 },
        p99Millis = figure(evidence) { sample.latency.p99Micros / 1e3 },
        errorShare = figure(evidence) { sample.counts.failed.toDouble() / maxOf(1, sample.counts.scheduled) },
        cpuMicrosPerRequest = known(evidence.filter { it.sample.answeredInWindow > 0 }) { sample.cpuMicrosPerRequest },
        switchesPerRequest = figure(evidence.filter { it.sample.cost.voluntarySwitches != null }) { sample.switchesPerRequest },
        rssMegabytes = known(evidence) { sample.cost.rssBytesMax?.div(1e6) },
        threads = known(evidence) { sample.cost.threadsMax?.toDouble() },
        bootMillis = figure(repeats.filter { it.boot != null }) { boot!!.firstAnswerMillis },
    )
}

/** A doubt that several repeats share is told once, with the worst of them and their number. */
private fun doubtsOf(evidence: List<Evidence>): List<Doubt> = doubtRules.mapNotNull { rule ->
    val found = evidence.mapNotNull { rule.examine(it) }
    val worst = found.maxByOrNull { it.validity } ?: return@mapNotNull null
    // A cell is invalid when most of its repeats are; a single bad one widens the interval, and is told all the same.
    val invalid = found.count { it.validity == Validity.INVALID } * 2 > evidence.size
    val share = if (evidence.size > 1) " (in ${found.size} of ${evidence.size} repeats)" else ""
    worst.copy(seen = worst.seen + share, validity = if (invalid) Validity.INVALID else Validity.SUSPECT)
}

private fun unmeasured(repeats: List<Repeat>, situation: Situation): Doubt? {
    val missing = repeats.filter { repeat -> repeat.samples.none { it.situation == situation.name } }
    if (missing.isEmpty()) return null
    val validity = if (missing.size == repeats.size) Validity.INVALID else Validity.SUSPECT
    val failed = missing.firstOrNull { it.state == RepeatState.FAILED }
    val why = failed?.stateReason ?: "the run ended before it was measured"
    val seen = "${missing.size} of ${repeats.size} repeats have no figures: $why"
    return Doubt("not-measured", seen, "Read the log and run again.", validity)
}

/** Null where the process could not be seen. */
private val Sample.cpuMicrosPerRequest: Double?
    get() = cost.cpuUserMillis?.let { user -> cost.cpuSystemMillis?.let { system -> (user + system) * 1e3 / answeredInWindow } }

private val Sample.switchesPerRequest
    get() = ((cost.voluntarySwitches ?: 0) + (cost.involuntarySwitches ?: 0)).toDouble() / maxOf(1, counts.answered)

/** Over the repeats in which the value could be read. */
private inline fun <T> known(repeats: List<T>, value: T.() -> Double?): Figure? =
    figure(repeats.mapNotNull { repeat -> repeat.value() }) { this }

private inline fun <T> figure(repeats: List<T>, value: T.() -> Double): Figure? {
    if (repeats.isEmpty()) return null
    val values = repeats.map(value)
    val interval = typicalInterval(values)
    return Figure(median(values), interval?.low, interval?.high, values)
}
