package threadgauge.cli

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.cli.command.codeFor
import threadgauge.model.judgement.CellJudgement
import threadgauge.model.judgement.Figure
import threadgauge.model.judgement.Judgement
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

    private fun failed(vararg shares: Double) = Figure(shares.max(), values = shares.toList())

    private fun withFirstCell(edit: CellJudgement.() -> CellJudgement): Judgement =
        exampleJudgement().let { judgement ->
            val first =
                judgement.situations.first().let { it.copy(cells = listOf(it.cells.first().edit()) + it.cells.drop(1)) }
            judgement.copy(situations = listOf(first) + judgement.situations.drop(1))
        }
}
