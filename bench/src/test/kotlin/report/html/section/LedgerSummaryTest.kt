package threadgauge.report.html.section

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test
import threadgauge.model.Record
import threadgauge.model.SaleAudit
import threadgauge.model.SaleLedger
import threadgauge.model.SaleTerms
import threadgauge.report.Example
import threadgauge.report.exampleJudgement
import threadgauge.report.exampleRecord
import threadgauge.report.format.NARROW_SPACE
import threadgauge.report.format.ReportContext
import threadgauge.report.json.jsonReport

class LedgerSummaryTest {
    @Test
    fun `trials are added up, and what could not be counted is not called nothing`() {
        val sold = sold {
            SaleAudit(SaleLedger(seats = 100, taken = 103, reservations = 101, wishes = 100), acknowledged = 102)
        }
        val summary = subject(sold).let { it.ledgerSummaries(it.judgement.situations.first()) }.first()
        val trials = sold.plan.experiment.trials
        summary.oversold shouldBe 3L * trials
        summary.lost shouldBe 2L * trials
        summary.duplicated shouldBe 1L * trials
        summary.words() shouldContain "PROMISES BROKEN: oversold ${3 * trials}, lost ${2 * trials}, duplicated $trials"
        val uncounted = sold { SaleAudit(SaleLedger(100, 50, 50, 50), acknowledged = null) }
        val line = subject(uncounted).let { it.ledgerSummaries(it.judgement.situations.first()) }.words()
        line shouldContain "Nothing oversold or duplicated, and lost is not counted, because keys repeat: " +
            "${50 * trials} reservations of "
        line shouldNotContain "BROKEN"
    }

    @Test
    fun `of several events all seats are told, and what one has left hides nothing of what another sold too many`() {
        val hot = SaleLedger(seats = 100, taken = 103, reservations = 103, wishes = 103)
        val sold = sold { SaleAudit(hot, acknowledged = 103, List(19) { SaleLedger(100, 0, 0, 0) }) }
        val summary = subject(sold).let { it.ledgerSummaries(it.judgement.situations.first()) }.first()
        summary.events shouldBe 20
        summary.seats shouldBe 2000
        summary.oversold shouldBe 3L * sold.plan.experiment.trials
        summary.words() shouldContain "2,000 seats each over 20 events"
        Example(sold).html() shouldContain "Each load was over 20 events"
        val kept = sold { SaleAudit(SaleLedger(9, 0, 0, 0), 0, listOf(SaleLedger(9, 0, 0, 0))) }
        subject(kept).let { it.ledgerSummaries(it.judgement.situations.first()) }.words() shouldContain
            "Nothing oversold, lost or duplicated over 2 events: 0 reservations of "
    }

    @Test
    fun `a situation says over how many events it sells, and how hot the first is`() {
        val situation = exampleRecord().plan.experiment.situations.first()
        fun words(terms: SaleTerms) = arrival(situation.copy(sale = terms)).substringAfter("10 s, ")
        words(SaleTerms(500)) shouldBe "500 seats on sale"
        words(SaleTerms(500, events = 20)) shouldBe "500 seats on sale at each of 20 events, requested equally"
        words(SaleTerms(0, events = 1000, hot = 0.5)) shouldBe
            "no seats on sale at each of 1,000 events, 50${NARROW_SPACE}% of the requests for the first"
    }

    @Test
    fun `both reports and the JSON show the ledger, and nothing without a sale`() {
        val sold = Example(sold { SaleAudit(SaleLedger(100, 103, 103, 103), acknowledged = 103) })
        sold.terminal().replace(Regex("\\s+"), " ") shouldContain "PROMISES BROKEN: oversold"
        sold.html() shouldContain "Ledger after the sale"
        jsonReport(sold.record, sold.judgement) shouldContain "\"oversold\": ${3 * sold.record.plan.experiment.trials}"
        val usual = Example(exampleRecord())
        usual.html() shouldNotContain "Ledger after the sale"
        subject(usual.record).let { subject -> subject.judgement.situations.flatMap { subject.ledgerSummaries(it) } }
            .shouldBeEmpty()
    }

    private fun subject(record: Record) = ReportContext(record, exampleJudgement(record))

    private fun sold(audit: () -> SaleAudit): Record = exampleRecord().let { plain ->
        val situations = plain.plan.experiment.situations.map { it.copy(sale = SaleTerms(100)) }
        plain.copy(
            plan = plain.plan.copy(experiment = plain.plan.experiment.copy(situations = situations)),
            trials = plain.trials.map { trial -> trial.copy(samples = trial.samples.map { it.copy(audit = audit()) }) },
        )
    }
}
