package threadgauge.judge

import threadgauge.model.Doubt
import threadgauge.model.Judgement
import threadgauge.model.Record
import threadgauge.model.RunState
import threadgauge.model.Situation
import threadgauge.model.SituationJudgement
import threadgauge.model.Validity
import threadgauge.model.Verdict
import threadgauge.stats.FEWEST_REPEATS

/** What [record] means: figures with intervals, doubts, and a verdict for each situation. A pure function of the record. */
fun judge(record: Record): Judgement {
    val judged = record.plan.experiment.situations.map { judgeSituation(record, it) }
    val situations = judged.map { it.first }
    return Judgement(
        recordId = record.id,
        question = record.plan.experiment.question,
        state = record.state,
        indicative = situations.all { it.verdict is Verdict.Indicative } || fewestPlanned(record) < FEWEST_REPEATS,
        answer = judged.map { it.second },
        situations = situations,
        doubts = runDoubts(record),
    )
}

/** The situation's judgement, and its headline. */
private fun judgeSituation(record: Record, situation: Situation): Pair<SituationJudgement, String> {
    val margin = record.plan.experiment.margin
    val cells = record.plan.stacks.map { judgeCell(record, it, situation) }
    val byThroughput = comparePairs(cells, margin) { it.throughput }
    val byCpu = comparePairs(cells, margin) { it.cpuMicrosPerRequest }
    val fit = cells.filter { it.validity != Validity.INVALID && it.throughput != null }.sortedByDescending { it.throughput!!.median }
    val standing = if (fit.isEmpty()) null else Standing(fit, byThroughput)
    val verdict = VerdictMaker(situation, standing, byCpu, margin, cells.size).verdict()
    return SituationJudgement(situation, verdict, cells, byThroughput) to headline(situation, verdict, standing)
}

private fun fewestPlanned(record: Record) = record.plan.turns.groupingBy { it.stack }.eachCount().values.minOrNull() ?: 0

private fun runDoubts(record: Record): List<Doubt> = listOfNotNull(
    Doubt(
        "not-pinned",
        "server and agent shared the same cores, so each took time from the other",
        "Use a machine with at least two cores, on Linux.",
        Validity.SUSPECT,
    ).takeIf { record.environment.targetCores.isEmpty() },
    record.environment.busyBefore?.takeIf { it > BUSIEST }?.let {
        Doubt(
            "busy-machine",
            "something else kept ${percent(it)} of the machine at work just before the run (limit ${percent(BUSIEST)})",
            "Close what else is running, and run again.",
            Validity.SUSPECT,
        )
    },
    Doubt(
        "not-complete",
        "the run did not end by itself: ${record.stateReason ?: "it was ${record.state.name.lowercase()}"}",
        "Run again.",
        Validity.SUSPECT,
    ).takeIf { record.state != RunState.COMPLETE },
    Doubt(
        "indicative",
        "fewer than $FEWEST_REPEATS repeats per stack give no interval, so no winner is named",
        "Run without --quick, or with --repeats 3 or more.",
        Validity.SUSPECT,
    ).takeIf { fewestPlanned(record) < FEWEST_REPEATS },
) + ownServiceDoubts(record)

/** Of two cores one at most is busy with the coordinator's own start, for a tenth of the time; more is somebody else. */
internal const val BUSIEST = 0.15
