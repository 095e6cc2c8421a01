package threadgauge.report

import threadgauge.model.doubt.AgentDoubt
import threadgauge.model.doubt.Amounts
import threadgauge.model.doubt.Doubt
import threadgauge.model.doubt.MachineDoubt
import threadgauge.model.doubt.RunDoubt
import threadgauge.model.doubt.TargetDoubt
import threadgauge.model.doubt.TrialShare
import threadgauge.model.judgement.CannotTellReason
import threadgauge.model.judgement.CellJudgement
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.HeldStack
import threadgauge.model.judgement.Lead
import threadgauge.model.judgement.Ranking
import threadgauge.model.judgement.Validity
import threadgauge.model.judgement.Verdict
import threadgauge.model.plan.CurveShape
import threadgauge.model.plan.UnsteadyPart
import threadgauge.model.plan.WarmUp
import threadgauge.model.plan.WarmUpEnd

/** An invented verdict on the situation of this name, over the cells that were measured. */
internal fun exampleVerdict(situation: String, measured: List<CellJudgement>): Verdict = when {
    measured.size == 1 -> Verdict.Alone(measured.single().stack)
    situation == "wait" -> exampleRanking(measured, listOf("spring-webflux", "ktor-netty")).let {
        if (it.behind.isEmpty()) Verdict.NoDifference(it) else Verdict.Fits(it)
    }
    situation == "block" -> Verdict.DecidedBySetting(exampleRanking(measured, listOf("spring-mvc-virtual")))
    else -> Verdict.CannotTell(CannotTellReason.Overlap(
        exampleRanking(measured, measured.map { it.stack }, trialsToTell = 12),
    ))
}

/**
 * Those of [leaders] that were measured lead and do not differ; all others are behind by the ratio of their medians.
 */
internal fun exampleRanking(measured: List<CellJudgement>, leaders: List<String>, trialsToTell: Int? = null): Ranking {
    val (ahead, behind) = measured.sortedByDescending { it.throughput!!.value }.partition { it.stack in leaders }
        .let { (ahead, behind) -> if (ahead.isEmpty()) behind to ahead else ahead to behind }
    val top = ahead.first().throughput!!.value
    return Ranking(
        by = Compared.THROUGHPUT,
        order = (ahead + behind).map { it.stack },
        leaders = ahead.map { it.stack },
        leadersAlike = trialsToTell == null,
        behind = behind.map { cell ->
            (top / cell.throughput!!.value).let { Lead(cell.stack, it, it * 0.95, it * 1.05) }
        },
        held = measured.mapNotNull { cell ->
            cell.ceilings.firstOrNull { it.reached && it.bySetting }?.let { HeldStack(cell.stack, it) }
        },
        trialsToTell = trialsToTell,
    )
}

internal val EXAMPLE_NOT_PINNED = Doubt(RunDoubt.NotPinned, Validity.SUSPECT)

private val HEADROOM = Doubt(
    AgentDoubt.NearItsCeiling(0.78, 148_000.0, 0.5), Validity.INVALID, TrialShare(5, 5), Amounts(0.71, 0.78),
)
private val STEAL =
    Doubt(MachineDoubt.StolenTime(0.031, 0.02), Validity.SUSPECT, TrialShare(1, 5), Amounts(0.031, 0.031))
private val NOT_STEADY = Doubt(
    TargetDoubt.NotSteady(
        WarmUp(emptyList(), false, 30_000.0, WarmUpEnd.BUDGET_USED, listOf(
            UnsteadyPart.RateNotFlat("wait", CurveShape.RISING),
        )),
    ),
    Validity.SUSPECT, TrialShare(1, 5),
)

/** By the names of situation and stack. */
internal val EXAMPLE_DOUBTS: Map<Pair<String, String>, List<Doubt>> = mapOf(
    ("hello" to "spring-webflux") to listOf(HEADROOM),
    ("hello" to "ktor-netty") to listOf(HEADROOM, STEAL),
    ("wait" to "spring-mvc-virtual") to listOf(NOT_STEADY),
)
