package threadgauge.wording.claim

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.model.claim.ClaimCell
import threadgauge.model.claim.ClaimMeasure
import threadgauge.model.judgement.AsPublished
import threadgauge.model.judgement.Ceiling
import threadgauge.model.judgement.CeilingCause
import threadgauge.model.judgement.CheckFinding
import threadgauge.model.judgement.CheckOutcome.FAILS
import threadgauge.model.judgement.CheckOutcome.HOLDS
import threadgauge.model.judgement.CheckOutcome.UNKNOWN
import threadgauge.model.judgement.ClaimReason
import threadgauge.model.judgement.LeastWait
import threadgauge.model.judgement.LimitedThing
import threadgauge.model.judgement.WaitKind

/** One sentence or two for each reason that a verdict on a claim can have. */
class ClaimReasonWordsTest {
    private val users = listOf(Ceiling(TWENTY_USERS, 200.0, reached = true))
    private val holding = found(servesMore("few"), 3.0, HOLDS)
    private val failing = found(servesMore("many"), 1.5, FAILS)

    @Test
    fun `it holds`() {
        words(ClaimReason.Holds(listOf(0)), holding) shouldBe
            "It holds in few: found 3 times (2.7 to 3.3), claimed at least 2 times."
        words(ClaimReason.Holds(listOf(0, 1)), holding, found(servesMore("many", "few"), 4.0, HOLDS)) shouldBe
            "It holds in few and many against few."
    }

    @Test
    fun `it holds in some places alone`() {
        words(ClaimReason.Holds(listOf(0), failing = listOf(1)), holding, failing) shouldBe
            "It holds in few: found 3 times (2.7 to 3.3), claimed at least 2 times. " +
            "It does not hold in many: found 1.500 times (1.350 to 1.650), claimed at least 2 times."
        val forced = found(servesMore("many"), 1.0, FAILS, users, isForced = true)
        words(ClaimReason.Holds(listOf(0), failing = listOf(1)), holding, forced) shouldBe
            "It holds in few: found 3 times (2.7 to 3.3), claimed at least 2 times. " +
            "It does not hold in many: found 1 times (0.900 to 1.100), claimed at least 2 times. " +
            "There a setting leaves no room: 20 users ÷ 100 ms = 200/s (many)."
        val unsure = found(servesMore("many"), 2.0, UNKNOWN)
        words(ClaimReason.Holds(listOf(0), unknown = listOf(1)), holding, unsure) shouldBe
            "It holds in few: found 3 times (2.7 to 3.3), claimed at least 2 times. " +
            "It cannot be told in many: found 2 times (1.800 to 2.2), claimed at least 2 times; " +
            "the interval holds values on both sides."
    }

    @Test
    fun `it does not hold`() {
        words(ClaimReason.Fails(listOf(0)), failing) shouldBe
            "It does not hold in many: found 1.500 times (1.350 to 1.650), claimed at least 2 times."
        val idle = untold(answersSoon("many"), CheckFinding.NoFigure(ClaimCell("a", "many")))
        words(ClaimReason.Fails(listOf(0), idle = listOf(1)), failing, idle) shouldBe
            "It does not hold that throughput of a in many is at least 2 times that of b in many: " +
            "found 1.500 times (1.350 to 1.650), claimed at least 2 times. " +
            "What cannot be told would not mend that: that p99 latency of a in many is at most 50 ms: " +
            "found a in many has no figure."
    }

    @Test
    fun `a setting explains what was published`() {
        val published = found(servesMore("many", "few", 14.0), 20.0, HOLDS, users, isForced = true, asPublished = true)
        val reason = ClaimReason.ExplainedBySetting(listOf(0), failing = listOf(1, 2))
        words(reason, published, found(servesMore("few"), 1.0, FAILS), failing) shouldBe
            "It comes out as published because a setting held one side down: " +
            "20 users ÷ 100 ms = 200/s (many against few). Asked fairly, it does not hold in few and many."
    }

    @Test
    fun `a setting decides`() {
        val held = found(servesMore("many", "few"), 3.0, HOLDS, users, isForced = true)
        words(ClaimReason.HoldsBySettingAlone(listOf(0), listOf(1)), held, failing) shouldBe
            "It holds only where a setting holds one side down: 20 users ÷ 100 ms = 200/s (many against few). " +
            "Elsewhere it does not: in many: found 1.500 times (1.350 to 1.650), claimed at least 2 times."
        words(ClaimReason.Forced(listOf(0)), held) shouldBe "In every situation asked a setting decides, " +
            "whatever the server: 20 users ÷ 100 ms = 200/s (many against few)."
    }

    @Test
    fun `it is not known`() {
        val reason = ClaimReason.Unknown(listOf(0, 1), failing = listOf(2))
        val leftOut = CheckFinding.StackLeftOut("b")
        words(reason, untold(servesMore("few"), leftOut), untold(servesMore("some"), leftOut), failing) shouldBe
            "b was left out of this run. It does not hold in many: found 1.500 times (1.350 to 1.650), " +
            "claimed at least 2 times; more is not known."
        words(ClaimReason.Unknown(emptyList())) shouldBe "It states nothing."
    }

    @Test
    fun `how the published statements came out is told beside`() {
        fun words(asPublished: AsPublished) = words(ClaimReason.Holds(listOf(0), asPublished = asPublished), holding)
            .substringAfter("at least 2 times. ")
        words(AsPublished.HOLDS) shouldBe "Asked as published it comes out as published."
        words(AsPublished.FAILS) shouldBe "Asked as published it does not come out here."
        words(AsPublished.UNCLEAR) shouldBe "Asked as published it does not come out clearly here."
    }

    @Test
    fun `statements of several measures are told whole, and of very many only how many they are`() {
        val soon = found(answersSoon("few"), 30.0, HOLDS)
        words(ClaimReason.Holds(listOf(0, 1)), holding, soon) shouldBe
            "It holds that throughput of a in few is at least 2 times that of b in few " +
            "and p99 latency of a in few is at most 50 ms."
        val many = List(7) { found(servesMore("s$it"), 3.0, HOLDS) }
        words(ClaimReason.Holds(many.indices.toList()), *many.toTypedArray()) shouldBe
            "It holds in all of its 7 statements."
    }

    @Test
    fun `within a sentence an abbreviation keeps its letters`() {
        fun ofBoth(measure: ClaimMeasure) = answersSoon("few").copy(measure = measure)
        val (cpu, memory) = listOf(ClaimMeasure.CPU, ClaimMeasure.MEMORY).map { found(ofBoth(it), 30.0, HOLDS) }
        words(ClaimReason.Holds(listOf(0, 1)), cpu, memory) shouldBe
            "It holds that CPU per request of a in few is at most 50 µs " +
            "and memory under load of a in few is at most 50 MB."
    }
}

private val TWENTY_USERS =
    CeilingCause.Concurrency(20, LimitedThing.USERS, listOf(LeastWait(WaitKind.SERVICE, 100.0)))
