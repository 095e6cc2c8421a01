package threadgauge.judge.doubt

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import org.junit.jupiter.api.Test
import threadgauge.judge.claim.claimOf
import threadgauge.judge.claim.recordOf
import threadgauge.judge.claim.verdict
import threadgauge.judge.judge
import threadgauge.judge.recordOf
import threadgauge.model.Record
import threadgauge.model.SaleAudit
import threadgauge.model.SaleLedger
import threadgauge.model.SaleTerms
import threadgauge.model.claim.Bound
import threadgauge.model.claim.ClaimCell
import threadgauge.model.claim.ClaimMeasure
import threadgauge.model.claim.Relation
import threadgauge.model.claim.Statement
import threadgauge.model.doubt.DoubtId
import threadgauge.model.judgement.Validity
import threadgauge.model.judgement.Verdict
import threadgauge.model.judgement.claim.CheckOutcome
import threadgauge.wording.claim.words
import threadgauge.wording.doubt.seen

class SaleDoubtsTest {
    @Test
    fun `who keeps every promise raises no doubt`() {
        judge(sold { _, _ -> KEPT }).situations.single().cells.flatMap { it.doubts }.shouldBeEmpty()
    }

    @Test
    fun `the faster one does not win when it broke a promise once`() {
        fun verdict(broken: SaleAudit) =
            judge(sold { stack, trial -> if (stack == "quick" && trial == 2) broken else KEPT }).situations.single()
        judge(sold { _, _ -> KEPT }).situations.single().verdict.shouldBeInstanceOf<Verdict.Fits>()
            .stacks shouldBe listOf("quick")
        for (broken in listOf(OVERSOLD, LOST, DUPLICATED)) {
            val judged = verdict(broken)
            judged.cells.first { it.stack == "quick" }.validity shouldBe Validity.INVALID
            judged.cells.first { it.stack == "sound" }.validity shouldBe Validity.VALID
            (judged.verdict as? Verdict.Fits)?.stacks.orEmpty().contains("quick") shouldBe false
        }
    }

    @Test
    fun `the doubt says what was broken and how often`() {
        val judged =
            judge(sold { stack, trial -> if (stack == "quick") listOf(KEPT, OVERSOLD, LOST)[trial - 1] else KEPT })
        val doubt = judged.situations.single().cells.first { it.stack == "quick" }.doubts.single()
        doubt.id shouldBe DoubtId.PROMISE_BROKEN
        doubt.seen shouldBe
            "7 seats were sold beyond the capacity; 3 acknowledged reservations were missing from the ledger " +
            "(in 2 of 3 trials)"
    }

    @Test
    fun `an event that was oversold is not made up for by one that has seats left`() {
        val over = SaleAudit(SaleLedger(100, 107, 107, 107), acknowledged = 117, listOf(SaleLedger(100, 10, 10, 10)))
        over.oversold shouldBe 7
        over.isKept shouldBe false
        val judged =
            judge(sold { stack, trial -> if (stack == "quick" && trial == 2) over else BOTH_KEPT }).situations.single()
        judged.cells.first { it.stack == "sound" }.validity shouldBe Validity.VALID
        judged.cells.first { it.stack == "quick" }.doubts.single().seen shouldBe
            "7 seats were sold beyond the capacity, at 1 of 2 events (in 1 of 3 trials)"
    }

    @Test
    fun `promises are counted over all events, and a wish that was granted twice in any of them is seen`() {
        BOTH_KEPT.isKept shouldBe true
        BOTH_KEPT.copy(acknowledged = 151).lost shouldBe 1
        BOTH_KEPT.copy(others = listOf(SaleLedger(100, 50, 50, 49))).duplicated shouldBe 1
    }

    @Test
    fun `keys that repeat leave the lost uncounted, and nothing is taken for lost`() {
        val repeated = SaleAudit(SaleLedger(100, 50, 50, 50), acknowledged = null)
        repeated.lost shouldBe null
        repeated.isKept shouldBe true
        SaleAudit(SaleLedger(100, 50, 50, 50), acknowledged = 49).lost shouldBe 0
    }

    @Test
    fun `a claim about what was oversold is judged by the books, and no doubt stands in its way`() {
        val record = sold { stack, trial -> if (stack == "quick" && trial == 3) OVERSOLD else KEPT }
        fun none(stack: String) =
            check(record, Statement(ClaimMeasure.OVERSOLD, ClaimCell(stack, "s"), Relation.EQUAL, Bound.Value(0.0)))
        none("sound").outcome shouldBe CheckOutcome.HOLDS
        none("quick").outcome shouldBe CheckOutcome.FAILS
        none("quick").words() shouldContain "Measured 7 (0 to 7)"
        val some = Statement(ClaimMeasure.LOST, ClaimCell("quick", "s"), Relation.MORE, Bound.Value(0.0))
        check(record, some).outcome shouldBe CheckOutcome.FAILS
    }

    private fun check(record: Record, statement: Statement) =
        judge(record.copy(
            plan = record.plan.copy(experiment = record.plan.experiment.copy(claims = listOf(claimOf(statement)))),
        ))
            .claims.single().checks.single()

    /** "quick" serves twice as much as "sound"; [audit] says what the books held. */
    private fun sold(audit: (stack: String, trial: Int) -> SaleAudit): Record {
        val plain =
            recordOf(mapOf("quick" to listOf(2000.0, 2010.0, 2020.0), "sound" to listOf(1000.0, 1010.0, 1020.0)))
        val situations = plain.plan.experiment.situations.map { it.copy(sale = SaleTerms(100)) }
        return plain.copy(
            plan = plain.plan.copy(experiment = plain.plan.experiment.copy(situations = situations)),
            trials = plain.trials.map { trial ->
                trial.copy(samples = trial.samples.map { it.copy(audit = audit(trial.stack, trial.number)) })
            },
        )
    }

    private companion object {
        val KEPT = SaleAudit(SaleLedger(100, 100, 100, 100), acknowledged = 100)
        val OVERSOLD = SaleAudit(SaleLedger(100, 107, 107, 107), acknowledged = 107)
        val LOST = SaleAudit(SaleLedger(100, 97, 97, 97), acknowledged = 100)
        val BOTH_KEPT =
            SaleAudit(SaleLedger(100, 100, 100, 100), acknowledged = 150, listOf(SaleLedger(100, 50, 50, 50)))
        val DUPLICATED = SaleAudit(SaleLedger(100, 100, 100, 99), acknowledged = 99)
    }
}
