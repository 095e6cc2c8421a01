package threadgauge.judge.knee

import kotlin.math.ceil
import threadgauge.judge.compare.CONFIDENCE
import threadgauge.judge.doubt.KneeEvidence
import threadgauge.judge.doubt.doubtsOf
import threadgauge.knee.ProcessKnee
import threadgauge.model.Record
import threadgauge.model.Trial
import threadgauge.model.doubt.DoubtId
import threadgauge.model.judgement.Knee
import threadgauge.model.judgement.KneeJudgement
import threadgauge.model.judgement.KneeOutcome
import threadgauge.model.judgement.KneesJudgement
import threadgauge.model.judgement.Sizing
import threadgauge.model.plan.KneeQuestion
import threadgauge.stats.Interval
import threadgauge.stats.MIN_TRIALS
import threadgauge.stats.median
import threadgauge.stats.typicalInterval

/**
 * The judgement of a search for the knees of all targets of a run, in the order in which they were asked for. A pure
 * function of the record.
 */
fun judgeKnees(record: Record): KneesJudgement {
    val searches = record.plan.stacks.map { TargetSearch(record, it.name) }
    val comparisons = compareKnees(searches, record.plan.experiment.margin)
    return KneesJudgement(searches.map { it.judged }, comparisons, inTurns = record.inTurns != null)
}

/** The judgement of the search for the knee of [stack]. A pure function of the record. */
fun judgeKnee(record: Record, stack: String = record.plan.stacks.first().name): KneeJudgement =
    TargetSearch(record, stack).judged

/** What was seen of one target: each of its [processes], and what they come to. */
internal class TargetSearch(record: Record, val stack: String) {
    private val question =
        checkNotNull(record.plan.knee) { "the record ${record.id} is not one of a search for the knee" }
    private val trials = record.trials.filter { it.stack == stack }

    /** By the numbers of their trials. */
    val processes: Map<Int, ProcessKnee> = trials.associate { it.number to ProcessKnee(question, record, it) }
    val judged: KneeJudgement = judged(record, question, stack, trials, processes.values.toList())
}

private fun judged(
    record: Record,
    question: KneeQuestion,
    stack: String,
    trials: List<Trial>,
    processes: List<ProcessKnee>,
): KneeJudgement {
    val outcome = outcome(processes)
    val knee = if (outcome == KneeOutcome.FOUND) together(processes.mapNotNull { it.knee }) else null
    val probes = processes.flatMap { it.judged }
    val highestKept = processes.mapNotNull { it.highestKept }.maxOrNull()
    val evidence = KneeEvidence(question, trials, probes, processes.map { it.knee }, knee)
    return KneeJudgement(
        recordId = record.id,
        state = record.state,
        target = record.plan.let { if (it.stacks.size == 1) it.stacks.single().title else it.titles.getValue(stack) },
        question = question,
        outcome = outcome,
        knee = knee,
        highestKept = highestKept,
        processes = processes.map { it.knee },
        probes = probes,
        sizing = sizing(question, outcome, knee, highestKept, record.environment.targetCores.size),
        scalability = scalability(probes),
        // A search has its own rule for too few trials.
        doubts = doubtsOf(record).filter { it.id != DoubtId.INDICATIVE } + doubtsOf(evidence),
    )
}

/** The outcome of the majority of processes, or *cannot tell* if there is none. */
private fun outcome(processes: List<ProcessKnee>): KneeOutcome {
    val (outcome, times) =
        processes.groupingBy { it.outcome }.eachCount().maxByOrNull { it.value } ?: return KneeOutcome.CANNOT_TELL
    return if (times * 2 > processes.size) outcome else KneeOutcome.CANNOT_TELL
}

/**
 * From three processes on, Student's interval over their knees, which includes the differences between processes and
 * the uncertainty of each search. With two processes the interval spans both; with one it is that of its search.
 */
private fun together(knees: List<Knee>): Knee {
    val values = knees.map { it.perSecond }
    val interval = overProcesses(values, knees.map { Interval(it.low, it.high) })
    return Knee(median(values), interval.low, interval.high)
}

/**
 * From three [values] on, Student's interval over them. Fewer do not show how much processes differ: the interval spans
 * those of [each]. It always holds the median.
 */
internal fun overProcesses(values: List<Double>, each: List<Interval>, confidence: Double = CONFIDENCE): Interval {
    val student = if (values.size >= MIN_TRIALS) typicalInterval(values, confidence) else null
    val seen = student ?: Interval(each.minOf { it.low }, each.maxOf { it.high })
    val middle = median(values)
    return Interval(minOf(seen.low, middle), maxOf(seen.high, middle))
}

/** With the lower end of the interval, because too few replicas cost more than one too many. */
private fun sizing(
    question: KneeQuestion,
    outcome: KneeOutcome,
    knee: Knee?,
    highestKept: Double?,
    cores: Int,
): Sizing? {
    val want = question.wantPerSecond ?: return null
    val isLeast = outcome == KneeOutcome.NEVER_BROKEN || outcome == KneeOutcome.AGENT_IS_THE_LIMIT
    val each = knee?.low ?: highestKept?.takeIf { isLeast } ?: return null
    val replicas = ceil(want * (1 + question.headroom) / each).toLong()
    return Sizing(want, question.headroom, each, replicas, cores.takeIf { it > 0 }, atMost = isLeast)
}
