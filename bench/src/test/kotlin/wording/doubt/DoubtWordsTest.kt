package threadgauge.wording.doubt

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.model.ConcurrencyModel
import threadgauge.model.Outcome
import threadgauge.model.RunState
import threadgauge.model.SeenPort
import threadgauge.model.doubt.AgentDoubt
import threadgauge.model.doubt.AnswerDifference
import threadgauge.model.doubt.Doubt
import threadgauge.model.doubt.DoubtFacts
import threadgauge.model.doubt.DoubtId
import threadgauge.model.doubt.KneeDoubt
import threadgauge.model.doubt.LoadDoubt
import threadgauge.model.doubt.MachineDoubt
import threadgauge.model.doubt.MachineName
import threadgauge.model.doubt.OwnServiceDoubt
import threadgauge.model.doubt.RegressionDoubt
import threadgauge.model.doubt.RunDoubt
import threadgauge.model.doubt.SaleDoubt
import threadgauge.model.doubt.TargetDoubt
import threadgauge.model.doubt.TrialShare
import threadgauge.model.failure.AnswerFault
import threadgauge.model.failure.Failure
import threadgauge.model.failure.TargetFault
import threadgauge.model.judgement.Validity
import threadgauge.model.plan.CurveShape
import threadgauge.model.plan.TurnsReason
import threadgauge.model.plan.UnsteadyPart
import threadgauge.model.plan.WarmUp
import threadgauge.model.plan.WarmUpEnd
import threadgauge.report.shouldBeApproved

class DoubtWordsTest {
    @Test
    fun `every doubt reads as approved`() {
        withClue("each kind of doubt has an example") {
            EXAMPLES.map { it.id }.distinct() shouldContainExactlyInAnyOrder DoubtId.entries
        }
        val text = EXAMPLES.joinToString("\n\n") { facts ->
            facts.words().let { "${facts.id.id}\n  ${it.seen}\n  ${it.remedy}\n  ${it.source}" }
        }
        shouldBeApproved(text + "\n", "doubts.approved.txt")
    }

    @Test
    fun `every doubt has a reason for its limit, and something to do`() = EXAMPLES.forEach { facts ->
        withClue(facts) {
            facts.words().source.length shouldBeGreaterThan 29
            facts.words().remedy.length shouldBeGreaterThan 9
        }
    }

    @Test
    fun `a doubt about single measurements says in how many trials it was found`() {
        val stolen = MachineDoubt.StolenTime(0.031, 0.02)
        val share =
            Doubt(stolen, Validity.SUSPECT, TrialShare(2, 5)).seen.removePrefix(Doubt(stolen, Validity.SUSPECT).seen)
        share shouldBe " (in 2 of 5 trials)"
    }
}

/** One or more of each kind. */
internal val EXAMPLES: List<DoubtFacts> = listOf(
    LoadDoubt.LittlesLaw(0.81, 200.0, 0.1),
    LoadDoubt.Failures(
        0.067, 0.001, mapOf(Outcome.REFUSED to 12L, Outcome.SERVER_ERROR to 3L), unfinished = 4, unsent = 1,
    ),
    LoadDoubt.Failures(0.9, 0.001, mapOf(Outcome.HEADERS_TOO_LONG to 200L), unfinished = 0, unsent = 0),
    LoadDoubt.Failures(
        0.2, 0.001, mapOf(Outcome.UNPROCESSED to 9L, Outcome.KEPT_CONNECTION_CLOSED to 3L, Outcome.LOCAL_LIMIT to 1L),
        unfinished = 0, unsent = 0,
    ),
    LoadDoubt.LeftOver(205_000.0, 5),
    LoadDoubt.LeftOver(null, 5),
    LoadDoubt.FewSamples(412, 1_000),
    LoadDoubt.ShortWindow(2_000.0, 3_001.0, 3_020.0, 0.5),
    LoadDoubt.ShortWindow(2_000.0, 420.0, 430.0, 0.1),
    LoadDoubt.ShortWindow(2_000.0, null, null, 0.5),
    LoadDoubt.UnequalWork(1_400.0, 700.0, 0.01),
    LoadDoubt.Outlier(4, -0.4, severe = true),
    LoadDoubt.Outlier(2, 0.12, severe = false),
    LoadDoubt.NotMeasured(2, 5, Failure.Told("The process ended with exit code 137")),
    LoadDoubt.NotMeasured(1, 5, null),
    LoadDoubt.NotMeasured(1, 1, Failure.Target(TargetFault.WrongAnswer("http://localhost:8080", AnswerFault.Refused))),
    AgentDoubt.NearItsCeiling(0.62, 148_000.0, 0.5),
    AgentDoubt.SentLate(2_300.0, 1_000.0),
    AgentDoubt.CollectedGarbage(0.023, 0.01),
    AgentDoubt.Lost(0.33),
    AgentDoubt.NetworkBetween(5_100.0, 5_020.0, 5_600.0, varies = false),
    AgentDoubt.NetworkBetween(5_100.0, 5_020.0, 95_600.0, varies = true),
    AgentDoubt.ClocksApart(2_500.0, 1_000.0),
    TargetDoubt.NotSteady(
        WarmUp(
            emptyList(), false, 30_000.0, WarmUpEnd.BUDGET_USED,
            listOf(
                UnsteadyPart.RateNotFlat("wait", CurveShape.RISING), UnsteadyPart.CompilerBusy(0.31),
                UnsteadyPart.CodeGrowing(0.024),
            ),
        ),
    ),
    TargetDoubt.NotSteady(WarmUp(emptyList(), false, 30_000.0, reason = "budget used up; wait still rising")),
    TargetDoubt.GrowingMemory(210_000_000, 1_340_000_000, 0.5),
    TargetDoubt.MislabelledModel("shop", ConcurrencyModel.VIRTUAL_THREADS, "http-1"),
    TargetDoubt.MislabelledModel("shop", ConcurrencyModel.PLATFORM_THREADS, "virtual-7"),
    TargetDoubt.ImpossibleCounter(2_090_000.0, 10_000.0),
    MachineDoubt.StolenTime(0.17, 0.02),
    MachineDoubt.OtherPrograms(0.082, 0.05),
    MachineDoubt.ReferenceChanged(0.14, 0.1),
    MachineDoubt.ReferenceChanged(-0.14, 0.1),
    MachineDoubt.CoreTaken(0.3, 0.25),
    MachineDoubt.CoreSpeed(3_000.0, 2_400.0, 0.05),
    MachineDoubt.Swapping(1_500, 100),
    MachineDoubt.FileLimit(19_500, 20_000, 0.9),
    RunDoubt.NotPinned,
    RunDoubt.BusyMachine(0.4, 0.15),
    RunDoubt.NotComplete(RunState.INTERRUPTED, null),
    RunDoubt.NotComplete(RunState.RUNNING, null),
    RunDoubt.CarriedOn(1, 7),
    RunDoubt.CarriedOn(2, 7),
    RunDoubt.InTurns(TurnsReason.Memory(12, 4, 900_000_000)),
    RunDoubt.InTurns(TurnsReason.Start("shop-2", listOf("shop"))),
    RunDoubt.InTurns(TurnsReason.Port("shop", 8080, "shop-2")),
    RunDoubt.Paused(1, 63_000.0, kept = 0),
    RunDoubt.Paused(3, 4_200.0, kept = 1),
    RunDoubt.MeasuredCold,
    RunDoubt.Indicative(3),
    RunDoubt.Indicative(3, minutes = 4),
    OwnServiceDoubt.SameProcess(listOf("shop", "shop-2"), here = true),
    OwnServiceDoubt.NotSeen(listOf("shop")),
    OwnServiceDoubt.OtherPort(
        "shop", 9100,
        listOf(
            SeenPort(9100, isAssigned = false),
            SeenPort(9200, isAssigned = false, AnswerFault.Status("GET /orders", 404)),
        ),
    ),
    OwnServiceDoubt.DifferentAnswers("a", "b", AnswerDifference.Status(200, 201)),
    OwnServiceDoubt.DifferentAnswers("a", "b", AnswerDifference.MediaType("text/html", null)),
    OwnServiceDoubt.DifferentAnswers("a", "b", AnswerDifference.Content(1_000, 1_000)),
    OwnServiceDoubt.DifferentAnswers("a", "b", AnswerDifference.Length(1_000, 1_200)),
    OwnServiceDoubt.ChangedAnswers("shop", 1, 4, AnswerDifference.Content(1_000, 1_000), isResumed = false),
    OwnServiceDoubt.ChangedAnswers("shop", 1, 4, AnswerDifference.Status(200, 204), isResumed = true),
    SaleDoubt.PromiseBroken(oversold = 7, lost = 3, duplicated = 0, oversoldEvents = null, events = 2),
    SaleDoubt.PromiseBroken(oversold = 7, lost = 0, duplicated = 2, oversoldEvents = 1, events = 20),
    KneeDoubt.FewProcesses(1, 3),
    KneeDoubt.WideInterval(0.12, 0.05),
    KneeDoubt.ProcessesDisagree(1, 3),
    KneeDoubt.NotSteady(2, 3),
    KneeDoubt.FewSamples(4, 20),
    KneeDoubt.StolenTime(6, 20, 0.02),
    KneeDoubt.Agent(3, 20),
    RegressionDoubt.OtherMachine(listOf(MachineName("CPU A", 2)), listOf(MachineName("CPU B", 4))),
    RegressionDoubt.OtherJava(listOf("25.0.1"), listOf("25.0.2", "26")),
    RegressionDoubt.OtherKernel(listOf("6.1"), listOf("6.2")),
    RegressionDoubt.OtherCores(listOf(false), listOf(true)),
    RegressionDoubt.OtherVersion(listOf("0.1.0"), listOf("0.2.0")),
    RegressionDoubt.NotInterleaved(3),
)
