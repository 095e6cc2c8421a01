package threadgauge.judge.claim

import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import threadgauge.judge.judge
import threadgauge.model.Load
import threadgauge.model.Outcome
import threadgauge.model.Record
import threadgauge.model.Sample
import threadgauge.model.claim.Bound
import threadgauge.model.claim.Claim
import threadgauge.model.claim.ClaimCell
import threadgauge.model.claim.ClaimMeasure
import threadgauge.model.claim.PublishedFigure
import threadgauge.model.claim.Relation
import threadgauge.model.claim.Statement
import threadgauge.model.judgement.Validity
import threadgauge.model.judgement.claim.CheckOutcome
import threadgauge.model.judgement.claim.ClaimVerdict.CANNOT_TELL_HERE
import threadgauge.model.judgement.claim.ClaimVerdict.CONFIRMED
import threadgauge.model.judgement.claim.ClaimVerdict.CONFIRMED_WITHIN_A_RANGE
import threadgauge.model.judgement.claim.ClaimVerdict.DECIDED_BY_THE_SETTING
import threadgauge.model.judgement.claim.ClaimVerdict.REFUTED
import threadgauge.wording.claim.words

/** Known answers: for each verdict figures that must bring it about, and a change to them that must not. */
class ClaimVerdictsTest {
    private val twice = atLeast(2.0, "few")
    private val equal = atLeast(1.0, "few").copy(relation = Relation.EQUAL)

    @Test
    fun `a claim is confirmed where the whole interval is on its side`() {
        verdict(claimOf(twice), few(220.0, 100.0)) shouldBe CONFIRMED
        verdict(claimOf(twice), few(203.0, 100.0)) shouldBe CANNOT_TELL_HERE
    }

    @Test
    fun `a claim is refuted where the whole interval is on the other side`() {
        verdict(claimOf(twice), few(150.0, 100.0)) shouldBe REFUTED
        verdict(claimOf(twice), few(199.0, 100.0)) shouldBe CANNOT_TELL_HERE
    }

    @Test
    fun `a claim is confirmed within a range where it holds in one situation and not in another`() {
        val claim = claimOf(twice, atLeast(2.0, "many"))
        verdict(claim, few(300.0, 100.0), many(300.0, 290.0)) shouldBe CONFIRMED_WITHIN_A_RANGE
        verdict(claim, few(300.0, 100.0), many(300.0, 100.0)) shouldBe CONFIRMED
        verdict(claim, few(300.0, 290.0), many(300.0, 290.0)) shouldBe REFUTED
        // It holds here and is not known there: that is no more than a range.
        verdict(claim, few(300.0, 100.0), many(300.0, 150.0)) shouldBe CONFIRMED_WITHIN_A_RANGE
        // It fails here and is not known there: whether there is a range is not known, either.
        verdict(claim, few(300.0, 290.0), many(300.0, 150.0)) shouldBe CANNOT_TELL_HERE
        words(claim, few(300.0, 100.0), many(300.0, 290.0)) shouldContain "The claim holds in few."
    }

    /** As the post that gave one side 200 users and the other 5,000, with a tenth of its time and of its users. */
    @Test
    fun `unequal users are a setting that decides`() {
        val unequal = listOf(atLeast(14.0, "many", "few"))
        val fair = arrayOf(atLeast(14.0, "few"), atLeast(14.0, "many"))
        val few = Asked("few", 20, about(198.0), about(197.0), millis = 100)
        val many = Asked("many", 500, about(4310.0), about(4130.0), millis = 100)
        verdict(claimOf(*fair, asPublished = unequal), few, many) shouldBe DECIDED_BY_THE_SETTING
        words(claimOf(*fair, asPublished = unequal), few, many) shouldContain "20 users ÷ 100 ms = 200/s"
        // Were it true of the servers, it would be so with equal users.
        val slow = Asked("many", 500, about(4310.0), about(200.0), millis = 100)
        verdict(claimOf(*fair, asPublished = unequal), few, slow) shouldBe CONFIRMED_WITHIN_A_RANGE
        // Without the ceiling nothing explains what was published.
        val unbound = Asked("few", 20, about(198.0), about(197.0), millis = 0)
        verdict(claimOf(*fair, asPublished = unequal), unbound, many) shouldBe REFUTED
        // Nor where it does not come out as published.
        val lame = Asked("many", 500, about(2000.0), about(1990.0), millis = 100)
        verdict(claimOf(*fair, asPublished = unequal), few, lame) shouldBe REFUTED
    }

    @Test
    fun `what is not known of another measure does not mend what fails in the same place`() {
        fun sooner(situation: String) = Statement(
            ClaimMeasure.P50, ClaimCell("a", situation), Relation.AT_MOST,
            Bound.Times(0.667, ClaimCell("b", situation)),
        )
        // With 150 against 100 users wait for two thirds of the time, so this is just so, or just not.
        verdict(claimOf(sooner("few")), few(150.0, 100.0)) shouldBe CANNOT_TELL_HERE
        verdict(claimOf(twice, sooner("few")), few(150.0, 100.0)) shouldBe REFUTED
        words(claimOf(twice, sooner("few")), few(150.0, 100.0)) shouldContain "but cannot change the verdict"
        verdict(claimOf(twice, sooner("few")), few(300.0, 100.0)) shouldBe CONFIRMED
        // In another situation it may hold.
        verdict(claimOf(twice, sooner("many")), few(150.0, 100.0), many(150.0, 100.0)) shouldBe CANNOT_TELL_HERE
    }

    @Test
    fun `within a sentence an abbreviation keeps its letters`() {
        val half = Bound.Times(0.5, ClaimCell("b", "few"))
        val cheaper = Statement(ClaimMeasure.CPU, ClaimCell("a", "few"), Relation.AT_MOST, half)
        // Of two measures each is named whole.
        words(claimOf(cheaper, twice), few(100.0, 100.0)) shouldContain "do not hold: CPU per request of a"
        words(claimOf(twice, cheaper), few(100.0, 100.0)) shouldContain "do not hold: throughput of a"
    }

    @Test
    fun `where a setting forces every outcome, it decides`() {
        val held = Asked("few", 20, about(198.0), about(197.0), millis = 100)
        verdict(claimOf(twice), held) shouldBe DECIDED_BY_THE_SETTING
        // Half of the ceiling leaves room: here a is slower, and could have been faster.
        verdict(claimOf(twice), Asked("few", 20, about(98.0), about(90.0), millis = 100)) shouldBe REFUTED
        // Alone without published statements: holds only where it is forced, and fails where it is free.
        val many = Asked("many", 500, about(4310.0), about(4130.0), millis = 100)
        val claim = claimOf(atLeast(14.0, "many", "few"), atLeast(14.0, "many"))
        verdict(claim, held, many) shouldBe DECIDED_BY_THE_SETTING
    }

    @Test
    fun `a ceiling that the outcome does not need forces nothing`() {
        // b stands at 200 per second; with 200 in place of its 181, a's 390 would not be twice as much.
        val held = Asked("few", 20, about(390.0), about(181.0), millis = 100)
        judge(recordOf(listOf(held), listOf(claimOf(twice)))).claims.single().checks.single().isForced shouldBe false
        verdict(claimOf(twice), held) shouldBe CONFIRMED
    }

    @Test
    fun `an open load that both keep up with makes them equal`() {
        val record = recordOf(listOf(few(200.0, 200.5)), listOf(claimOf(equal)))
        record.verdict() shouldBe CONFIRMED
        val situation = record.plan.experiment.situations.single()
        val load = Load.Rate(200.0, 5_000_000_000)
        val experiment = record.plan.experiment.copy(situations = listOf(situation.copy(load = load)))
        val open = record.copy(plan = record.plan.copy(experiment = experiment))
        open.verdict() shouldBe DECIDED_BY_THE_SETTING
        judge(open).claims.single().words() shouldContain "arrival rate = 200/s"
    }

    @Test
    fun `equal means within the margin`() {
        verdict(claimOf(equal), few(100.0, 100.5)) shouldBe CONFIRMED
        verdict(claimOf(equal), few(100.0, 110.0)) shouldBe REFUTED
        verdict(claimOf(equal), few(100.0, 103.0)) shouldBe CANNOT_TELL_HERE
    }

    @Test
    fun `too few trials, invalid figures, stacks left out and what is not measured cannot be told`() {
        val three = Asked("few", 50, about(300.0).take(3), about(100.0).take(3))
        verdict(claimOf(twice), three) shouldBe CONFIRMED
        val two = Asked("few", 50, about(300.0).take(2), about(100.0).take(2))
        verdict(claimOf(twice), two) shouldBe CANNOT_TELL_HERE
        words(claimOf(twice), two) shouldContain "a in few has 2 trials; an interval needs 3."

        val failing = recordOf(listOf(few(300.0, 100.0)), listOf(claimOf(twice))) { stack, sample ->
            if (stack == "b") failing(sample) else sample
        }
        failing.verdict() shouldBe CANNOT_TELL_HERE
        judge(failing).claims.single().checks.single().evidence[1].validity shouldBe Validity.INVALID

        val whole = recordOf(listOf(few(300.0, 100.0)), listOf(claimOf(twice)))
        val plan = whole.plan.copy(stacks = whole.plan.stacks.take(1))
        val alone = whole.copy(plan = plan, trials = whole.trials.filter { it.stack == "a" })
        alone.verdict() shouldBe CANNOT_TELL_HERE
        judge(alone).claims.single().words() shouldContain "b was left out of this run."

        val oversold = Statement(ClaimMeasure.OVERSOLD, ClaimCell("a", "few"), Relation.EQUAL, Bound.Value(0.0))
        verdict(claimOf(oversold), few(300.0, 100.0)) shouldBe CANNOT_TELL_HERE
        words(claimOf(oversold), few(300.0, 100.0)) shouldContain "this experiment sells no tickets"
    }

    @Test
    fun `one failure refutes none, and failures do not make their own share invalid`() {
        fun errors(relation: Relation, share: Double) =
            claimOf(Statement(ClaimMeasure.ERRORS, ClaimCell("b", "few"), relation, Bound.Value(share)))
        val record = recordOf(listOf(few(300.0, 100.0)), listOf(errors(Relation.EQUAL, 0.0)))
        record.verdict() shouldBe CONFIRMED
        fun failingRecord(relation: Relation, share: Double, trials: Int = 5): Record {
            var failed = 0
            return recordOf(listOf(few(300.0, 100.0)), listOf(errors(relation, share))) { stack, sample ->
                if (stack == "b" && failed++ < trials) failing(sample) else sample
            }
        }
        failingRecord(Relation.EQUAL, 0.0, trials = 1).verdict() shouldBe REFUTED
        failingRecord(Relation.MORE, 0.0).verdict() shouldBe CONFIRMED
        failingRecord(Relation.MORE, 0.0, trials = 1).verdict() shouldBe CANNOT_TELL_HERE
        failingRecord(Relation.LESS, 0.01).verdict() shouldBe REFUTED
        failingRecord(Relation.MORE, 0.0, trials = 0).verdict() shouldBe REFUTED
        // None of 2,500 requests failed: that is surely less than 1 in 100, and not surely less than 1 in 10,000.
        failingRecord(Relation.LESS, 0.01, trials = 0).verdict() shouldBe CONFIRMED
        failingRecord(Relation.LESS, 0.0001, trials = 0).verdict() shouldBe CANNOT_TELL_HERE
    }

    @Test
    fun `a value is held against the interval of the figure, and the published figure stands beside it`() {
        val slow = Statement(ClaimMeasure.P50, ClaimCell("b", "few"), Relation.MORE, Bound.Value(400.0))
        val record = recordOf(listOf(few(300.0, 100.0)), listOf(claimOf(slow)))
        val published = PublishedFigure(ClaimMeasure.P50, ClaimCell("b", "few"), 450.0, 450.0)
        val experiment = record.plan.experiment.copy(published = listOf(published))
        val judged = judge(record.copy(plan = record.plan.copy(experiment = experiment))).claims.single()
        judged.verdict shouldBe CONFIRMED
        judged.checks.single().outcome shouldBe CheckOutcome.HOLDS
        judged.checks.single().evidence.single().published shouldBe published
        verdict(claimOf(slow.copy(right = Bound.Value(600.0))), few(300.0, 100.0)) shouldBe REFUTED
    }

    @Test
    fun `the corrected statements decide, and those as published where there are no others`() {
        val asPublished = listOf(atLeast(2.0, "many"))
        verdict(claimOf(twice, asPublished = asPublished), few(300.0, 100.0), many(100.0, 100.0)) shouldBe CONFIRMED
        words(claimOf(twice, asPublished = asPublished), few(300.0, 100.0), many(100.0, 100.0)) shouldContain
            "Tested as published, the claim does not hold."
        verdict(claimOf(twice, asPublished = asPublished), few(100.0, 100.0), many(300.0, 100.0)) shouldBe REFUTED
        verdict(claimOf(asPublished = asPublished), few(100.0, 100.0), many(300.0, 100.0)) shouldBe CONFIRMED
    }

    private fun few(a: Double, b: Double) = Asked("few", 50, about(a), elsewhere(b))

    private fun many(a: Double, b: Double) = Asked("many", 500, about(a), elsewhere(b))

    private fun verdict(claim: Claim, vararg asked: Asked) = recordOf(asked.toList(), listOf(claim)).verdict()

    private fun words(claim: Claim, vararg asked: Asked) =
        judge(recordOf(asked.toList(), listOf(claim))).claims.single().words()

    /** A tenth of what was to be sent failed. */
    private fun failing(sample: Sample): Sample {
        val failed = sample.counts.answered / 10
        val counts = sample.counts.copy(
            scheduled = sample.counts.scheduled + failed, sent = sample.counts.sent + failed,
            failures = mapOf(Outcome.SERVER_ERROR to failed),
        )
        return sample.copy(counts = counts)
    }
}
