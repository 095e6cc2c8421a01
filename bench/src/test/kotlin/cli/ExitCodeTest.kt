package threadgauge.cli

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.cli.command.publish.codeFor
import threadgauge.model.doubt.Doubt
import threadgauge.model.doubt.LoadDoubt
import threadgauge.model.judgement.CellJudgement
import threadgauge.model.judgement.Figure
import threadgauge.model.judgement.GoalVerdict
import threadgauge.model.judgement.Judgement
import threadgauge.model.judgement.Validity
import threadgauge.report.exampleGoals
import threadgauge.report.exampleJudgement

/** What a run's figures make of its exit code. */
class ExitCodeTest {
    @Test
    fun `a run with a figure in every cell is done, also where some requests failed`() {
        codeFor(exampleJudgement()) shouldBe ExitCode.DONE
        codeFor(withFirstCell { copy(errorShare = failed(1.0, 0.9)) }) shouldBe ExitCode.DONE
    }

    @Test
    fun `a cell that was not measured, or in which every request failed, cannot be told`() {
        codeFor(withFirstCell { copy(trials = 0) }) shouldBe ExitCode.CANNOT_TELL
        codeFor(withFirstCell { copy(errorShare = failed(1.0, 1.0)) }) shouldBe ExitCode.CANNOT_TELL
    }

    @Test
    fun `a figure that failures or a short load make invalid cannot be told, and a doubtful one is done`() {
        val failures = LoadDoubt.Failures(0.1, 0.001, emptyMap(), unfinished = 0, unsent = 0)
        val short = LoadDoubt.ShortWindow(2_000.0, null, null, 0.5)
        for (facts in listOf(failures, short)) {
            fun code(validity: Validity) = codeFor(withFirstCell { copy(doubts = listOf(Doubt(facts, validity))) })
            code(Validity.INVALID) shouldBe ExitCode.CANNOT_TELL
            code(Validity.SUSPECT) shouldBe ExitCode.DONE
        }
    }

    @Test
    fun `a broken goal fails, one that cannot be told is open, and kept ones are done`() {
        fun code(vararg verdicts: GoalVerdict): ExitCode {
            val goals = exampleGoals().groupBy { it.verdict }
            return codeFor(exampleJudgement().copy(goals = verdicts.map { goals.getValue(it).first() }))
        }
        code(GoalVerdict.KEPT) shouldBe ExitCode.DONE
        code(GoalVerdict.KEPT, GoalVerdict.CANNOT_TELL) shouldBe ExitCode.CANNOT_TELL
        code(GoalVerdict.CANNOT_TELL, GoalVerdict.BROKEN, GoalVerdict.KEPT) shouldBe ExitCode.FAILED
        val missing = withFirstCell { copy(trials = 0) }
        codeFor(missing.copy(goals = exampleGoals().filter { it.verdict == GoalVerdict.BROKEN })) shouldBe
            ExitCode.FAILED
    }

    private fun failed(vararg shares: Double) = Figure(shares.max(), values = shares.toList())

    private fun withFirstCell(edit: CellJudgement.() -> CellJudgement): Judgement =
        exampleJudgement().let { judgement ->
            val first =
                judgement.situations.first().let { it.copy(cells = listOf(it.cells.first().edit()) + it.cells.drop(1)) }
            judgement.copy(situations = listOf(first) + judgement.situations.drop(1))
        }
}
