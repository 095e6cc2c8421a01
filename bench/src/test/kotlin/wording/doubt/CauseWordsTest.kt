package threadgauge.wording.doubt

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test
import threadgauge.judge.doubt.cause
import threadgauge.model.doubt.AgentDoubt
import threadgauge.model.doubt.Amounts
import threadgauge.model.doubt.CauseId
import threadgauge.model.doubt.CauseKind
import threadgauge.model.doubt.DoubtCause
import threadgauge.model.doubt.DoubtFacts
import threadgauge.model.doubt.DoubtfulCell
import threadgauge.model.doubt.LoadDoubt
import threadgauge.model.doubt.MachineDoubt
import threadgauge.model.doubt.RunDoubt
import threadgauge.model.doubt.SaleDoubt
import threadgauge.model.doubt.TargetDoubt
import threadgauge.model.doubt.TrialShare
import threadgauge.model.judgement.Validity
import threadgauge.report.shouldBeApproved

class CauseWordsTest {
    private val stolen = MachineDoubt.StolenTime(.17, .02)

    @Test
    fun `every doubt has a cause, whose words read as approved`() {
        withClue("each cause has a doubt") {
            EXAMPLES.map { it.cause }.distinct() shouldContainExactlyInAnyOrder CauseId.entries
        }
        val text = EXAMPLES.distinctBy { it::class }.groupBy { it.cause }.toSortedMap().entries
            .joinToString("\n\n") { (id, facts) ->
                val words = facts.joinToString("\n") {
                    "  " + cause(it, if (it.isOfMeasurements) TrialShare(3, 36) else null).words()
                }
                "${id.title}\n$words"
            }
        shouldBeApproved(text + "\n", "causes.approved.txt")
    }

    @Test
    fun `the host took time from many measurements`() {
        cause(stolen, TrialShare(21, 36), Amounts(.021, .17)).words() shouldBe
            "The host took 2.1 to 17 % of the machine in 21 of 36 measurements. The intervals include most of it. " +
            "For narrower ones, measure when the machine is quiet, or with more trials."
    }

    @Test
    fun `what disturbed most trials of a figure is in no interval`() {
        val words = cause(stolen, TrialShare(35, 36)).copy(shiftsFigures = true).words()
        words shouldContain "no interval shows by how much. Measure when the machine is quiet."
        words shouldNotContain "include"
    }

    @Test
    fun `without intervals nothing is said to include it`() {
        cause(stolen, TrialShare(3, 12)).copy(hasIntervals = false).words() shouldNotContain "The intervals"
    }

    @Test
    fun `several kinds of one cause share a sentence`() {
        val programs = MachineDoubt.OtherPrograms(.12, .05)
        val before = cause(RunDoubt.BusyMachine(.4, .15), null)
        before.copy(kinds = cause(programs, TrialShare(2, 36)).kinds + before.kinds).words() shouldContain
            "Other programs used 12 % of the machine in 2 of 36 measurements, and 40 % of the machine " +
            "just before the run. "
    }

    @Test
    fun `stacks are named, and those without a valid figure are said to be in no verdict`() {
        val agent = cause(AgentDoubt.NearItsCeiling(.78, 148_000.0, .5), TrialShare(3, 36))
        agent.copy(
            kinds = agent.kinds.map { it.copy(stacks = listOf("ktor")) },
            cells = listOf(DoubtfulCell("hello", "ktor", Validity.INVALID)),
        ).words() shouldContain "in 3 of 36 measurements (ktor)."
        agent.copy(cells = listOf(DoubtfulCell("hello", "ktor", Validity.INVALID))).words() shouldContain
            "The figures of ktor in hello are in no verdict."
    }

    @Test
    fun `a usual cause has two lines on a terminal of 110 columns`() {
        listOf(stolen, LoadDoubt.FewSamples(412, 1_000), MachineDoubt.ReferenceChanged(.2, .1)).forEach {
            cause(it, TrialShare(21, 36), Amounts(.021, .17)).words().length shouldBeLessThan 2 * 108
        }
    }

    private val DoubtFacts.isOfMeasurements
        get() = this is LoadDoubt && this !is LoadDoubt.UnequalWork && this !is LoadDoubt.Outlier &&
            this !is LoadDoubt.NotMeasured || this is MachineDoubt || this is AgentDoubt || this is TargetDoubt ||
            this is SaleDoubt

    private fun cause(facts: DoubtFacts, measurements: TrialShare?, amounts: Amounts? = null) = DoubtCause(
        facts.cause, Validity.SUSPECT, listOf(CauseKind(facts, measurements, amounts, emptyList())), emptyList(),
        hasIntervals = true, shiftsFigures = false,
    )
}
