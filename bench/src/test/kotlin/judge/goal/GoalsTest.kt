package threadgauge.judge.goal

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import kotlinx.serialization.json.Json
import org.junit.jupiter.api.Test
import threadgauge.experiment.load.readSlo
import threadgauge.judge.distributionOf
import threadgauge.judge.judge
import threadgauge.judge.recordOf
import threadgauge.model.AgentCeiling
import threadgauge.model.Counts
import threadgauge.model.Load
import threadgauge.model.Outcome
import threadgauge.model.Record
import threadgauge.model.Sample
import threadgauge.model.TrialState
import threadgauge.model.doubt.DoubtId
import threadgauge.model.failure.Failure
import threadgauge.model.failure.TargetFault
import threadgauge.model.judgement.GoalBasis
import threadgauge.model.judgement.GoalJudgement
import threadgauge.model.judgement.GoalVerdict
import threadgauge.model.judgement.GoalVerdict.BROKEN
import threadgauge.model.judgement.GoalVerdict.CANNOT_TELL
import threadgauge.model.judgement.GoalVerdict.KEPT

/** About 1,000 answers per second of 50 users: each takes 50 ms, and nothing fails, unless a test says otherwise. */
class GoalsTest {
    @Test
    fun `a goal is kept where the whole interval is within it, and broken where it is outside`() {
        verdicts("p99<60ms,mean<60ms,max<60ms,p99.9<60ms,errors<0.1%,throughput>900/s") shouldBe List(6) { KEPT }
        verdicts("p99<40ms,mean<40ms,max<40ms,p99.9<40ms,throughput>1200/s") shouldBe List(5) { BROKEN }
        judged("p50<60ms").single().basis shouldBe GoalBasis.ByInterval
    }

    @Test
    fun `where the interval includes the limit it cannot be told`() {
        for (goal in listOf("p99<50ms", "mean<50ms", "max<50ms", "throughput>1000/s")) withClue(goal) {
            judged(goal).single().run { verdict to basis } shouldBe (CANNOT_TELL to GoalBasis.ByInterval)
        }
    }

    @Test
    fun `figures are in the unit of the limit`() {
        judged("p99<1s").single().figure!!.value shouldBe (50_000.0 plusOrMinus 600.0)
        judged("throughput>1/s").single().figure!!.value shouldBe 1_000.0
        judged("errors<1%", edit = failing(0.05)).single().figure!!.value shouldBe (0.05 plusOrMinus 0.001)
    }

    @Test
    fun `a share of failures is bounded by how many requests there were`() {
        // None of 15,000 failed: up to 0.02 % may fail all the same.
        judged("errors<0.1%").single().verdict shouldBe KEPT
        judged("errors<0.01%").single().verdict shouldBe CANNOT_TELL
        judged("errors<1%", edit = failing(0.05)).single().verdict shouldBe BROKEN
    }

    @Test
    fun `where no request may fail, failures are counted`() {
        judged("errors<=0%").single().run { verdict to basis } shouldBe (KEPT to GoalBasis.Counted)
        var first = true
        val once: (Sample) -> Sample = { if (first) failing(0.001)(it).also { first = false } else it }
        judged("errors<=0%", edit = once).single().run { verdict to basis } shouldBe (BROKEN to GoalBasis.Counted)
    }

    @Test
    fun `below three trials the figure alone decides, and the verdict is indicative`() {
        for (trials in 1..2) {
            val goals = judged("p99<60ms,p90<40ms", listOf(1_000.0, 1_010.0).take(trials))
            goals.map { it.verdict } shouldContainExactly listOf(KEPT, BROKEN)
            goals.all { it.isIndicative } shouldBe true
            goals.map { it.basis }.distinct() shouldBe listOf(GoalBasis.FigureAlone(trials, 3))
            goals.first().figure!!.low.shouldBeNull()
        }
        judged("p99<60ms").single().isIndicative shouldBe false
    }

    @Test
    fun `invalid figures keep no goal, but too many failures break that for errors`() {
        val (latency, errors) = judged("p99<1h,errors<1%", edit = failing(0.5))
        latency.verdict shouldBe CANNOT_TELL
        latency.basis.shouldBeInstanceOf<GoalBasis.InvalidFigures>().doubts.map { it.id } shouldContainExactly
            listOf(DoubtId.FAILURES)
        errors.verdict shouldBe BROKEN
    }

    @Test
    fun `a stack that failed in one trial keeps no goal by what is left, and may break one`() {
        fun judged(goals: String) = record(goals, STEADY + 1_005.0).let { record ->
            val dead = Failure.Target(TargetFault.NeverReady)
            val last = record.trials.last().copy(state = TrialState.FAILED, failure = dead, samples = emptyList())
            judge(record.copy(trials = record.trials.dropLast(1) + last)).goals.single()
        }
        for (goals in listOf("errors<=0%", "throughput>500/s")) {
            judged(goals).verdict shouldBe CANNOT_TELL
            judged(goals).basis.shouldBeInstanceOf<GoalBasis.InvalidFigures>().doubts.map { it.id } shouldContainExactly
                listOf(DoubtId.NOT_MEASURED)
        }
        judged("throughput>5000/s").verdict shouldBe BROKEN
    }

    @Test
    fun `what was not measured keeps no goal`() {
        val record = record("p99<1h,errors<99%,throughput>1/h")
        val none = record.copy(trials = record.trials.map { it.copy(samples = emptyList()) })
        judge(none).goals.map { it.verdict to it.basis }.distinct() shouldBe
            listOf(CANNOT_TELL to GoalBasis.NotMeasured)
        judge(none).goals.mapNotNull { it.figure }.shouldBeEmpty()
    }

    @Test
    fun `a percentile needs answers beyond it`() {
        val few = listOf(100.0, 101.0, 99.0)
        judged("p99.9<1h", few).single().run { verdict to basis } shouldBe
            (CANNOT_TELL to GoalBasis.TooFewAnswers(1_500, 10_000))
        judged("p99<1h", few).single().verdict shouldBe KEPT
    }

    @Test
    fun `a goal that the load agent may have broken cannot be told`() {
        val ceiling: (Record) -> Record =
            { it.copy(environment = it.environment.copy(agentCeiling = AgentCeiling(1_500.0, 10.0))) }
        val (missed, errors, throughput) = judge(ceiling(record("p99<40ms,errors<0.1%,throughput>900/s"))).goals
        missed.verdict shouldBe CANNOT_TELL
        missed.basis.shouldBeInstanceOf<GoalBasis.AgentLimited>().doubts.map { it.id } shouldContainExactly
            listOf(DoubtId.AGENT_NEAR_ITS_CEILING)
        listOf(errors, throughput).map { it.verdict } shouldBe listOf(KEPT, KEPT)
    }

    @Test
    fun `requests that leave late break a latency only by more than they were late`() {
        fun verdict(goal: String): GoalVerdict {
            val record = record(goal) { it.copy(sendDelay = it.sendDelay.copy(p99Micros = 15_000.0)) }
            val experiment = record.plan.experiment
            val open = experiment.situations.map { it.copy(load = Load.Rate(1_000.0, 5_000_000_000)) }
            return judge(record.copy(plan = record.plan.copy(experiment = experiment.copy(situations = open)))).goals
                .single().verdict
        }
        verdict("p99<40ms") shouldBe CANNOT_TELL
        verdict("p99<20ms") shouldBe BROKEN
        verdict("p99<60ms") shouldBe KEPT
    }

    @Test
    fun `the longest answer counts, whatever is typical`() {
        var trial = 0
        val once: (Sample) -> Sample =
            { if (trial++ == 1) it.copy(latency = it.latency.copy(maxMicros = 3e6)) else it }
        val longest = judged("max<2s", edit = once).single()
        longest.verdict shouldBe CANNOT_TELL
        longest.figure!!.run { value to high } shouldBe (3e6 to 3e6)
    }

    @Test
    fun `percentiles are over the requests of all trials`() {
        // Two in a hundred answers of each trial take 200 ms, the others 10 ms.
        val distribution = distributionOf(10_000_000L to 980, 200_000_000L to 20)
        val mixed: (Sample) -> Sample = { it.copy(distribution = distribution) }
        val goals = judged("p90<20ms,p99<20ms,p99.9<300ms", edit = mixed)
        goals.map { it.verdict } shouldContainExactly listOf(KEPT, BROKEN, KEPT)
        goals.map { it.figure!!.value }.zip(listOf(10_000.0, 200_000.0, 200_000.0)) { found, known ->
            found shouldBe (known plusOrMinus known * 0.002)
        }
    }

    @Test
    fun `each stack is judged in each situation that has goals, and older records have none`() {
        val two = recordOf(mapOf("a" to STEADY, "b" to STEADY.map { it / 2 }))
        judge(two).goals.shouldBeEmpty()
        val text = Json.encodeToString(Record.serializer(), two)
        text.contains("goals") shouldBe false
        Json.decodeFromString(Record.serializer(), text).plan.experiment.goals shouldBe emptyMap()
        val asked = two.copy(plan = two.plan.withGoals(readSlo("p99<60ms", "--goals")))
        judge(asked).goals.map { Triple(it.situation, it.stack, it.verdict) } shouldContainExactly
            listOf(Triple("s", "a", KEPT), Triple("s", "b", BROKEN))
        judge(asked).goals.first().figure!!.low.shouldNotBeNull()
    }

    private fun verdicts(goals: String): List<GoalVerdict> = judged(goals).map { it.verdict }

    private fun judged(
        goals: String,
        rates: List<Double> = STEADY,
        edit: (Sample) -> Sample = { it },
    ): List<GoalJudgement> = judge(record(goals, rates, edit)).goals

    private fun record(goals: String, rates: List<Double> = STEADY, edit: (Sample) -> Sample = { it }): Record =
        recordOf(mapOf("a" to rates), edit = edit).let { it.copy(plan = it.plan.withGoals(readSlo(goals, "--goals"))) }

    private fun failing(share: Double): (Sample) -> Sample = { sample ->
        val all = sample.counts.scheduled
        val failed = (all * share).toLong()
        sample.copy(counts = Counts(all, all, all - failed, 0, 0, mapOf(Outcome.SERVER_ERROR to failed)))
    }

    private companion object {
        val STEADY = listOf(1_000.0, 1_010.0, 990.0)
    }
}
