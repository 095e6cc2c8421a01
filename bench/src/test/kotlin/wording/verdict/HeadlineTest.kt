package threadgauge.wording.verdict

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.model.judgement.CannotTellReason
import threadgauge.model.judgement.SituationJudgement
import threadgauge.model.judgement.Verdict
import threadgauge.report.exampleJudgement

class HeadlineTest {
    private val situation = exampleJudgement().situations.first()

    @Test
    fun `of a single stack without figures it is not said that no stack fits`() {
        headline(stacks = 1, trials = 0) shouldBe "spring-mvc was not measured"
        headline(stacks = 1, trials = 3) shouldBe "the figures of spring-mvc are not valid"
        headline(stacks = 2, trials = 0) shouldBe "no stack was measured"
        headline(stacks = 2, trials = 3) shouldBe "no stack has a valid figure"
    }

    @Test
    fun `a stack that has nothing to be compared with is named`() {
        words(situation.copy(verdict = Verdict.CannotTell(CannotTellReason.OnlyOne("a")))) shouldBe
            "only a has a valid figure"
    }

    private fun headline(stacks: Int, trials: Int) = words(
        situation.copy(
            verdict = Verdict.CannotTell(CannotTellReason.NoValidFigure),
            cells = situation.cells.take(stacks).map { it.copy(trials = trials) },
        ),
    )

    private fun words(judged: SituationJudgement) =
        judged.headline().substringAfter(", ").substringBefore(";").removeSuffix(".")
}
