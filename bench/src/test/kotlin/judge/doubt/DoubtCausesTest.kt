package threadgauge.judge.doubt

import io.kotest.matchers.booleans.shouldBeFalse
import io.kotest.matchers.booleans.shouldBeTrue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import org.junit.jupiter.api.Test
import threadgauge.judge.judge
import threadgauge.judge.recordOf
import threadgauge.model.AgentCeiling
import threadgauge.model.Record
import threadgauge.model.Sample
import threadgauge.model.Surroundings
import threadgauge.model.doubt.Amounts
import threadgauge.model.doubt.CauseId
import threadgauge.model.doubt.DoubtCause
import threadgauge.model.doubt.DoubtfulCell
import threadgauge.model.doubt.MachineDoubt
import threadgauge.model.doubt.TrialShare
import threadgauge.model.judgement.Validity

class DoubtCausesTest {
    /** The interval of its throughput is 10 % wide on each side, and more. */
    private val uneven = listOf(1_000.0, 1_060.0, 1_110.0, 1_040.0)

    /** Less than 1 %. */
    private val even = listOf(1_000.0, 1_001.0, 1_002.0, 1_000.0)

    @Test
    fun `a sound run has no cause`() {
        judge(recordOf(mapOf("a" to even, "b" to even))).causes.shouldBeEmpty()
    }

    @Test
    fun `doubts of all cells with one cause are counted together, with the range of what was found`() {
        val cause = disturbed(mapOf("a" to even, "b" to even), "a" to listOf(.03, .17, .05, .0), "b" to listOf(.04))
            .single()
        cause.id shouldBe CauseId.HOST
        cause.validity shouldBe Validity.SUSPECT
        cause.cells shouldContainExactly
            listOf(DoubtfulCell("s", "a", Validity.SUSPECT), DoubtfulCell("s", "b", Validity.SUSPECT))
        val kind = cause.kinds.single()
        kind.measurements shouldBe TrialShare(4, 8)
        kind.amounts shouldBe Amounts(.03, .17)
        kind.worst.shouldBeInstanceOf<MachineDoubt.StolenTime>().share shouldBe .17
        kind.stacks.shouldBeEmpty()
        cause.hasIntervals.shouldBeTrue()
    }

    @Test
    fun `stacks are named where a cause is not about all of them`() {
        disturbed(mapOf("a" to even, "b" to even), "b" to listOf(.04)).single().kinds.single().stacks shouldBe
            listOf("b")
    }

    @Test
    fun `what the interval contains is a note`() {
        // On two cores, 2.5 % of the machine are 5 % of the target's core at most.
        val contained = disturbed(mapOf("a" to uneven), "a" to listOf(.025)).single()
        contained.validity shouldBe Validity.VALID
        contained.cells.shouldBeEmpty()
        contained.kinds.single().measurements shouldBe TrialShare(1, 4)
        val larger = disturbed(mapOf("a" to uneven), "a" to listOf(.17)).single()
        larger.validity shouldBe Validity.SUSPECT
        disturbed(mapOf("a" to even), "a" to listOf(.025)).single().validity shouldBe Validity.SUSPECT
    }

    @Test
    fun `what disturbed most trials alike is in no interval`() {
        disturbed(mapOf("a" to uneven), "a" to listOf(.025, .025)).single().validity shouldBe Validity.VALID
        val most = disturbed(mapOf("a" to uneven), "a" to listOf(.025, .025, .025)).single()
        most.validity shouldBe Validity.SUSPECT
        most.shiftsFigures.shouldBeTrue()
        disturbed(mapOf("a" to uneven), "a" to listOf(.17)).single().shiftsFigures.shouldBeFalse()
    }

    @Test
    fun `without an interval every disturbance is a doubt`() {
        val cause = disturbed(mapOf("a" to listOf(1_000.0, 2_000.0)), "a" to listOf(.025)).single()
        cause.validity shouldBe Validity.SUSPECT
        cause.hasIntervals.shouldBeFalse()
    }

    @Test
    fun `one cell that is not contained makes the cause a doubt, about this cell alone`() {
        val cause = disturbed(mapOf("a" to uneven, "b" to even), "a" to listOf(.025), "b" to listOf(.025)).single()
        cause.validity shouldBe Validity.SUSPECT
        cause.cells.map { it.stack } shouldBe listOf("b")
        cause.kinds.single().measurements shouldBe TrialShare(2, 8)
    }

    @Test
    fun `the invalid comes first, then what is about most of the results`() {
        val record = recordOf(mapOf("a" to even, "b" to even, "c" to even)) {
            it.copy(cost = it.cost.copy(steal = .05), surroundings = Surroundings(otherBusyShare = .3))
        }.changing("b", 1) { it.copy(cost = it.cost.copy(steal = 0.0)) }
            .changing("c", 4) { it.copy(counts = it.counts.copy(unfinished = it.counts.scheduled / 2)) }
        judge(record).causes.map { it.id } shouldBe
            listOf(CauseId.OTHER_PROGRAMS, CauseId.HOST, CauseId.FAILED_REQUESTS)
        val near = record.copy(environment = record.environment.copy(agentCeiling = AgentCeiling(1_200.0, 9.0)))
        val causes = judge(near).causes
        causes.first().id shouldBe CauseId.LOAD_AGENT
        causes.first().validity shouldBe Validity.INVALID
        causes.first().cells.map { it.validity }.toSet() shouldBe setOf(Validity.INVALID)
    }

    @Test
    fun `other programs before the run and during it are one cause of two kinds`() {
        val during = recordOf(mapOf("a" to even)) { it.copy(surroundings = Surroundings(otherBusyShare = .3)) }
        val both = judge(during.copy(environment = during.environment.copy(busyBefore = .4))).causes.single()
        both.id shouldBe CauseId.OTHER_PROGRAMS
        both.kinds.map { it.measurements } shouldBe listOf(TrialShare(4, 4), null)
        val before = recordOf(mapOf("a" to even)).let { it.copy(environment = it.environment.copy(busyBefore = .4)) }
        judge(before).causes.single().kinds.single().amounts.shouldBeNull()
    }

    @Test
    fun `a mild outlier is a note, a severe one a doubt`() {
        fun cause(odd: Double): DoubtCause =
            judge(recordOf(mapOf("a" to listOf(1_000.0, 1_001.0, 1_002.0, odd, 999.0)))).causes.single()
        cause(600.0).validity shouldBe Validity.SUSPECT
        cause(980.0).validity shouldBe Validity.VALID
        cause(980.0).id shouldBe CauseId.ODD_TRIAL
    }

    /** [steal] are the shares that the hypervisor took in the first trials of a stack. */
    private fun disturbed(
        perSecond: Map<String, List<Double>>,
        vararg steal: Pair<String, List<Double>>,
    ): List<DoubtCause> {
        val record = steal
            .flatMap { (stack, shares) -> shares.mapIndexed { index, it -> Triple(stack, index + 1, it) } }
            .fold(recordOf(perSecond)) { record, (stack, trial, share) ->
                record.changing(stack, trial) { it.copy(cost = it.cost.copy(steal = share)) }
            }
        return judge(record).causes.filter { it.id == CauseId.HOST }
    }

    private fun Record.changing(stack: String, trial: Int, change: (Sample) -> Sample) = copy(
        trials = trials.map {
            if (it.stack == stack && it.number == trial) it.copy(samples = it.samples.map(change)) else it
        },
    )
}
