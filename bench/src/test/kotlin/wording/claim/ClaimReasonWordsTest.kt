package threadgauge.wording.claim

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.model.claim.ClaimCell
import threadgauge.model.claim.ClaimMeasure
import threadgauge.model.judgement.Ceiling
import threadgauge.model.judgement.CeilingCause
import threadgauge.model.judgement.CheckFinding
import threadgauge.model.judgement.LeastWait
import threadgauge.model.judgement.LimitedThing
import threadgauge.model.judgement.WaitKind
import threadgauge.model.judgement.claim.AsPublished
import threadgauge.model.judgement.claim.CheckOutcome.FAILS
import threadgauge.model.judgement.claim.CheckOutcome.HOLDS
import threadgauge.model.judgement.claim.CheckOutcome.UNKNOWN
import threadgauge.model.judgement.claim.ClaimCheck
import threadgauge.model.judgement.claim.ClaimReason

/** One sentence or two for each reason that a verdict on a claim can have. */
class ClaimReasonWordsTest {
    private val users = listOf(Ceiling(TWENTY_USERS, 200.0, reached = true))
    private val holding = found(servesMore("few"), 3.0, HOLDS)
    private val failing = found(servesMore("many"), 1.5, FAILS)
    private val unsure = found(servesMore("some"), 2.0, UNKNOWN)

    @Test
    fun `it holds`() {
        words(ClaimReason.Holds(listOf(0)), holding) shouldBe
            "The claim holds in few. Measured 3 times (2.7 to 3.3), claimed at least 2 times."
        words(ClaimReason.Holds(listOf(0, 1)), holding, found(servesMore("many", "few"), 4.0, HOLDS)) shouldBe
            "The claim holds in few and many against few."
    }

    @Test
    fun `it holds in some situations alone`() {
        words(ClaimReason.Holds(listOf(0), failing = listOf(1)), holding, failing) shouldBe
            "The claim holds in few. Measured 3 times (2.7 to 3.3), claimed at least 2 times. " +
            "The claim does not hold in many. Measured 1.500 times (1.350 to 1.650), claimed at least 2 times."
        val forced = found(servesMore("many"), 1.0, FAILS, users, isForced = true)
        words(ClaimReason.Holds(listOf(0), failing = listOf(1)), holding, forced) shouldBe
            "The claim holds in few. Measured 3 times (2.7 to 3.3), claimed at least 2 times. " +
            "The claim does not hold in many. Measured 1.000 times (0.900 to 1.100), claimed at least 2 times. " +
            "A limit, not the server, sets that result: 20 users ÷ 100 ms = 200/s (many)."
        words(ClaimReason.Holds(listOf(0), unknown = listOf(1)), holding, unsure) shouldBe
            "The claim holds in few. Measured 3 times (2.7 to 3.3), claimed at least 2 times. " +
            "This run cannot tell in some. Measured 2 times (1.800 to 2.2), claimed at least 2 times. " +
            "The interval includes values on both sides of the claim."
    }

    @Test
    fun `it does not hold`() {
        words(ClaimReason.Fails(listOf(0)), failing) shouldBe
            "The claim does not hold in many. Measured 1.500 times (1.350 to 1.650), claimed at least 2 times."
        words(ClaimReason.Fails(listOf(0), idle = listOf(1)), failing, unsure) shouldBe
            "The claim does not hold in many. Measured 1.500 times (1.350 to 1.650), claimed at least 2 times. " +
            "The result in some is unknown, but cannot change the verdict."
        val idle = untold(answersSoon("many"), CheckFinding.NoFigure(ClaimCell("a", "many")))
        words(ClaimReason.Fails(listOf(0), idle = listOf(1)), failing, idle) shouldBe
            "This statement does not hold: throughput of a in many is at least 2 times that of b in many. " +
            "Measured 1.500 times (1.350 to 1.650), claimed at least 2 times. " +
            "This statement is unknown, but cannot change the verdict: p99 latency of a in many is at most 50 ms."
    }

    @Test
    fun `a limit explains what was published`() {
        val published = found(servesMore("many", "few", 14.0), 20.0, HOLDS, users, isForced = true, asPublished = true)
        val reason = ClaimReason.ExplainedBySetting(listOf(0), failing = listOf(1, 2))
        words(reason, published, found(servesMore("few"), 1.0, FAILS), failing) shouldBe
            "A limit, not the server, produces the published result: 20 users ÷ 100 ms = 200/s (many against few). " +
            "Tested fairly, the claim does not hold in few and many."
    }

    @Test
    fun `a limit sets the result`() {
        val held = found(servesMore("many", "few"), 3.0, HOLDS, users, isForced = true)
        words(ClaimReason.HoldsBySettingAlone(listOf(0), listOf(1)), held, failing) shouldBe
            "The claim holds only where a limit, not the server, sets the result: " +
            "20 users ÷ 100 ms = 200/s (many against few). " +
            "The claim does not hold in many. Measured 1.500 times (1.350 to 1.650), claimed at least 2 times."
        words(ClaimReason.Forced(listOf(0)), held) shouldBe
            "A limit, not the server, sets the result in every situation tested: " +
            "20 users ÷ 100 ms = 200/s (many against few)."
    }

    @Test
    fun `the run cannot tell`() {
        words(ClaimReason.Unknown(listOf(0), failing = listOf(1)), unsure, failing) shouldBe
            "This run cannot tell in some. Measured 2 times (1.800 to 2.2), claimed at least 2 times. " +
            "The interval includes values on both sides of the claim. " +
            "The claim does not hold in many. Measured 1.500 times (1.350 to 1.650), claimed at least 2 times."
        words(ClaimReason.Unknown(emptyList())) shouldBe "The claim makes no statement."
    }

    @Test
    fun `why the run cannot tell is said once for all statements, and not at any length`() {
        fun words(vararg checks: ClaimCheck) = words(ClaimReason.Unknown(checks.indices.toList()), *checks)
        val leftOut = Array(2) { untold(servesMore("s$it"), CheckFinding.StackLeftOut("b")) }
        words(*leftOut) shouldBe "This run cannot tell in s0 and s1. b was left out of this run."
        words(*leftOut, unsure) shouldBe "This run cannot tell in s0, s1 and some. b was left out of this run. " +
            "The other intervals include values on both sides of the claim."
        words(unsure, found(servesMore("few"), 2.1, UNKNOWN)) shouldBe "This run cannot tell in some and few. " +
            "Measured 2 times (1.800 to 2.2) and 2.1 times (1.890 to 2.3). " +
            "The intervals include values on both sides of the claim."
        words(unsure, *leftOut, untold(servesMore("few"), CheckFinding.StackLeftOut("a"))) shouldBe
            "This run cannot tell in some, s0, s1 and few. b and a were left out of this run. " +
            "The other intervals include values on both sides of the claim."
        val missing = List(7) { untold(servesMore("s$it"), CheckFinding.NoFigure(ClaimCell("a", "s$it"))) }
        words(*missing.toTypedArray()) shouldBe
            "This run cannot tell for any of the 7 statements. a in s0 was not measured. " +
            "a in s1 was not measured. a in s2 was not measured. There are 4 more reasons."
    }

    @Test
    fun `the result as published stands beside it`() {
        fun words(asPublished: AsPublished) = words(ClaimReason.Holds(listOf(0), asPublished = asPublished), holding)
            .substringAfter("at least 2 times. ")
        words(AsPublished.HOLDS) shouldBe "Tested as published, the claim holds."
        words(AsPublished.FAILS) shouldBe "Tested as published, the claim does not hold."
        words(AsPublished.UNCLEAR) shouldBe "Tested as published, the result is unclear."
    }

    @Test
    fun `statements of several measures are named whole, and very many are counted`() {
        val soon = found(answersSoon("few"), 30.0, HOLDS)
        words(ClaimReason.Holds(listOf(0, 1)), holding, soon) shouldBe
            "These statements hold: throughput of a in few is at least 2 times that of b in few " +
            "and p99 latency of a in few is at most 50 ms."
        val many = List(7) { found(servesMore("s$it"), 3.0, HOLDS) }.toTypedArray()
        words(ClaimReason.Holds(many.indices.toList()), *many) shouldBe "All 7 statements hold."
        words(ClaimReason.Fails(many.indices.toList()), *many) shouldBe "None of the 7 statements holds."
        words(ClaimReason.Fails(many.indices.toList()), *many, soon) shouldBe
            "These statements do not hold: throughput of a in s0 is at least 2 times that of b in s0, " +
            "throughput of a in s1 is at least 2 times that of b in s1, " +
            "throughput of a in s2 is at least 2 times that of b in s2 and 4 more."
    }

    @Test
    fun `within a sentence an abbreviation keeps its letters`() {
        fun ofBoth(measure: ClaimMeasure) = answersSoon("few").copy(measure = measure)
        val (cpu, memory) = listOf(ClaimMeasure.CPU, ClaimMeasure.MEMORY).map { found(ofBoth(it), 30.0, HOLDS) }
        words(ClaimReason.Holds(listOf(0, 1)), cpu, memory) shouldBe
            "These statements hold: CPU per request of a in few is at most 50 µs " +
            "and memory under load of a in few is at most 50 MB."
    }
}

private val TWENTY_USERS =
    CeilingCause.Concurrency(20, LimitedThing.USERS, listOf(LeastWait(WaitKind.SERVICE, 100.0)))
