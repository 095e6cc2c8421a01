package threadgauge.report

import threadgauge.model.LatencyMeasure
import threadgauge.model.SloGoal
import threadgauge.model.doubt.AgentDoubt
import threadgauge.model.doubt.Doubt
import threadgauge.model.judgement.Figure
import threadgauge.model.judgement.GoalBasis
import threadgauge.model.judgement.GoalJudgement
import threadgauge.model.judgement.GoalVerdict.BROKEN
import threadgauge.model.judgement.GoalVerdict.CANNOT_TELL
import threadgauge.model.judgement.GoalVerdict.KEPT
import threadgauge.model.judgement.Validity

/** The usual example with a goal of each verdict and each basis. All of it is invented. */
internal fun exampleWithGoals(): Example =
    exampleRecord().let { Example(it, exampleJudgement(it).copy(goals = exampleGoals())) }

internal fun exampleGoals(): List<GoalJudgement> {
    val p99 = SloGoal.Latency(LatencyMeasure.P99, 300_000.0)
    val near = listOf(Doubt(AgentDoubt.NearItsCeiling(0.78, 148_000.0, 0.5), Validity.INVALID))
    val interval = GoalBasis.ByInterval
    return listOf(
        GoalJudgement("wait", "spring-mvc", p99, KEPT, interval, figure(210e3, 198e3, 224e3)),
        GoalJudgement("wait", "spring-webflux", p99, BROKEN, interval, figure(420e3, 401e3, 440e3)),
        GoalJudgement("wait", "ktor-netty", p99, CANNOT_TELL, interval, figure(295e3, 270e3, 321e3)),
        GoalJudgement("block", "spring-mvc", SloGoal.Errors(0.001), KEPT, interval, figure(0.0, 0.0, 0.0002)),
        GoalJudgement(
            "block", "spring-mvc", SloGoal.Errors(0.0), BROKEN, GoalBasis.Counted, figure(0.00012, 0.0, 0.0004),
        ),
        GoalJudgement(
            "block", "ktor-netty", SloGoal.Throughput(200.0), BROKEN, GoalBasis.FigureAlone(2, 3),
            Figure(40.0, values = listOf(39.0, 41.0)),
        ),
        GoalJudgement(
            "hello", "spring-webflux", SloGoal.Latency(LatencyMeasure.P50, 500.0), CANNOT_TELL,
            GoalBasis.InvalidFigures(near), figure(480.0, 470.0, 490.0),
        ),
        GoalJudgement(
            "hello", "ktor-netty", SloGoal.Throughput(200_000.0), CANNOT_TELL, GoalBasis.AgentLimited(near),
            figure(110_000.0, 109_000.0, 111_000.0),
        ),
        GoalJudgement(
            "hello", "ktor-netty", SloGoal.Latency(LatencyMeasure.P999, 1e6), CANNOT_TELL,
            GoalBasis.TooFewAnswers(412, 10_000), figure(90e3, 90e3, 90e3),
        ),
        GoalJudgement(
            "hello", "spring-mvc-virtual", SloGoal.Latency(LatencyMeasure.MAX, 2e6), CANNOT_TELL, GoalBasis.NotMeasured,
        ),
    )
}

private fun figure(value: Double, low: Double, high: Double) = Figure(value, low, high, listOf(low, value, high))
