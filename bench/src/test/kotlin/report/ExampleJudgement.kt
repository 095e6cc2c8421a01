package threadgauge.report

import kotlin.math.abs
import threadgauge.judge.doubt.doubtCauses
import threadgauge.model.Record
import threadgauge.model.Sample
import threadgauge.model.Stack
import threadgauge.model.TrialState
import threadgauge.model.doubt.TrialShare
import threadgauge.model.judgement.CannotTellReason
import threadgauge.model.judgement.Ceiling
import threadgauge.model.judgement.CeilingCause
import threadgauge.model.judgement.CellJudgement
import threadgauge.model.judgement.Comparison
import threadgauge.model.judgement.ComparisonOutcome
import threadgauge.model.judgement.Figure
import threadgauge.model.judgement.Judgement
import threadgauge.model.judgement.LeastWait
import threadgauge.model.judgement.LimitedThing
import threadgauge.model.judgement.SituationJudgement
import threadgauge.model.judgement.Validity
import threadgauge.model.judgement.Verdict
import threadgauge.model.judgement.WaitKind
import threadgauge.report.html.section.median

/**
 * A judgement that fits [record] in shape. Its medians are those of the record; its intervals, verdicts and doubts are
 * **invented**, because the real ones are made by `stats` and `judge`, which a report must not need. Only the causes of
 * the doubts are real, because they count what was invented.
 */
fun exampleJudgement(record: Record = exampleRecord()): Judgement {
    val indicative = record.trials.groupBy { it.stack }.values.none { it.size >= 3 }
    val situations = EXAMPLE_SITUATIONS.map { exampleSituation(record, it, indicative) }
    val doubts = listOf(EXAMPLE_NOT_PINNED).filter { record.environment.agentCores.isEmpty() }
    return Judgement(
        recordId = record.id, question = record.plan.experiment.question, state = record.state, indicative = indicative,
        situations = situations, doubts = doubts, causes = doubtCauses(situations, doubts, record.environment),
    )
}

private fun exampleSituation(record: Record, asked: ExampleSituation, indicative: Boolean): SituationJudgement {
    val cells = record.plan.stacks.map { exampleCell(record, it, asked) }
    val measured = cells.filter { it.throughput != null }
    val comparisons =
        measured.flatMapIndexed { index, cell -> measured.drop(index + 1).map { exampleComparison(cell, it) } }
    val verdict = when {
        measured.isEmpty() -> Verdict.CannotTell(CannotTellReason.NoValidFigure)
        indicative -> Verdict.Indicative(exampleRanking(measured, measured.map { it.stack }))
        else -> exampleVerdict(asked.situation.name, measured)
    }
    return SituationJudgement(asked.situation, verdict, cells, comparisons, margin = 0.03)
}

private fun exampleCell(record: Record, stack: Stack, asked: ExampleSituation): CellJudgement {
    val trials = record.trials.filter { it.stack == stack.name && it.state == TrialState.MEASURED }
    val samples = trials.mapNotNull { trial -> trial.samples.find { it.situation == asked.situation.name } }
    fun figure(of: (Sample) -> Double) = exampleFigure(samples.map(of))
    val doubts = EXAMPLE_DOUBTS[asked.situation.name to stack.name].orEmpty().filter { samples.isNotEmpty() }
        .map { it.copy(trials = TrialShare(minOf(it.trials!!.found, samples.size), samples.size)) }
    return CellJudgement(
        stack = stack.name, title = stack.title, model = stack.model,
        validity = if (samples.isEmpty()) Validity.INVALID else doubts.maxOfOrNull { it.validity } ?: Validity.VALID,
        doubts = doubts,
        ceilings = if (samples.isEmpty()) emptyList() else exampleCeilings(stack.name, asked),
        trials = samples.size,
        throughput = figure { it.answeredInWindow / 10.0 },
        p50Millis = figure { it.latency.p50Micros / 1000 },
        p90Millis = figure { it.latency.p90Micros / 1000 },
        p99Millis = figure { it.latency.p99Micros / 1000 },
        errorShare = figure { 0.0 },
        cpuMicrosPerRequest = figure {
            (it.cost.cpuUserMillis!! + it.cost.cpuSystemMillis!!) * 1000 / it.counts.answered
        },
        switchesPerRequest = figure {
            (it.cost.voluntarySwitches!! + it.cost.involuntarySwitches!!) * 1.0 / it.counts.answered
        },
        allocatedKilobytesPerRequest = figure { it.cost.jvm!!.allocatedBytes!! / 1e3 / it.counts.answered },
        rssMegabytes = figure { it.cost.rssBytesMax!! / 1e6 },
        threads = figure { it.cost.threadsMax!!.toDouble() },
        bootMillis = exampleFigure(trials.mapNotNull { it.boot?.firstAnswerMillis }),
    )
}

private fun exampleFigure(values: List<Double>): Figure? = when (values.size) {
    0 -> null
    1, 2 -> Figure(median(values), values = values)
    else -> Figure(median(values), values.min(), values.max(), values)
}

private fun exampleCeilings(stack: String, asked: ExampleSituation): List<Ceiling> = buildList {
    if (asked.situation.name == "hello") return@buildList
    val users = exampleCause(asked.users.toInt(), LimitedThing.USERS, asked.serviceMillis)
    val blocking = asked.situation.name == "block"
    add(Ceiling(users, asked.users / asked.serviceMillis * 1000, reached = blocking && stack == "spring-mvc-virtual"))
    if (stack == "spring-mvc") add(Ceiling(exampleCause(200, LimitedThing.HANDLERS), 2000.0, reached = true))
    if (blocking && stack == "spring-webflux") {
        add(Ceiling(exampleCause(2, LimitedThing.HANDLERS), 20.0, reached = true))
    }
    if (blocking && stack == "ktor-netty") add(Ceiling(exampleCause(4, LimitedThing.HANDLERS), 40.0, reached = true))
}

internal fun exampleCause(count: Int, of: LimitedThing, serviceMillis: Double = 100.0): CeilingCause =
    CeilingCause.Concurrency(count, of, listOf(LeastWait(WaitKind.SERVICE, serviceMillis)))

private fun exampleComparison(first: CellJudgement, second: CellJudgement): Comparison {
    val a = first.throughput!!
    val b = second.throughput!!
    val ratio = a.value / b.value
    val low = b.high?.let { a.low?.div(it) }
    val high = b.low?.let { a.high?.div(it) }
    val outcome = when {
        low == null || high == null -> ComparisonOutcome.CANNOT_TELL
        low > 1.03 -> ComparisonOutcome.MORE
        high < 1 / 1.03 -> ComparisonOutcome.LESS
        abs(ratio - 1) < 0.02 -> ComparisonOutcome.NO_DIFFERENCE
        else -> ComparisonOutcome.CANNOT_TELL
    }
    return Comparison(first.stack, second.stack, ratio, low, high, outcome)
}
