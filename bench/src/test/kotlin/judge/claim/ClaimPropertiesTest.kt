package threadgauge.judge.claim

import io.kotest.matchers.shouldBe
import io.kotest.property.Arb
import io.kotest.property.PropTestConfig
import io.kotest.property.arbitrary.enum
import io.kotest.property.arbitrary.int
import io.kotest.property.arbitrary.list
import io.kotest.property.arbitrary.map
import io.kotest.property.checkAll
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Test
import threadgauge.judge.judge
import threadgauge.model.claim.Bound
import threadgauge.model.claim.Claim
import threadgauge.model.claim.ClaimCell
import threadgauge.model.claim.ClaimMeasure
import threadgauge.model.claim.Relation
import threadgauge.model.claim.Statement
import threadgauge.model.judgement.Ceiling
import threadgauge.model.judgement.CeilingCause
import threadgauge.model.judgement.CheckFinding
import threadgauge.model.judgement.LeastWait
import threadgauge.model.judgement.LimitedThing
import threadgauge.model.judgement.WaitKind
import threadgauge.model.judgement.claim.CheckOutcome
import threadgauge.model.judgement.claim.CheckOutcome.FAILS
import threadgauge.model.judgement.claim.CheckOutcome.HOLDS
import threadgauge.model.judgement.claim.CheckOutcome.UNKNOWN
import threadgauge.model.judgement.claim.ClaimCheck
import threadgauge.model.judgement.claim.ClaimVerdict

/** What must be so of every claim, whatever was measured. */
class ClaimPropertiesTest {
    private val config = PropTestConfig(seed = 26, iterations = 300)
    private val rates = Arb.list(Arb.int(900..1100).map { it / 10.0 }, 3..6)
    private val factors = Arb.int(800..1250).map { it / 1000.0 }
    private val opposite = mapOf(
        Relation.AT_LEAST to Relation.LESS, Relation.LESS to Relation.AT_LEAST, Relation.MORE to Relation.AT_MOST,
        Relation.AT_MOST to Relation.MORE,
    )
    private val outcomes = Arb.list(Arb.enum<CheckOutcome>(), 0..4)

    @Test
    fun `a statement and its opposite never hold together, and one holds where the other fails`() = properties {
        checkAll(config, rates, rates, factors, Arb.enum<Relation>()) { a, b, factor, relation ->
            val other = opposite[relation] ?: return@checkAll
            mirror(outcome(a, b, relation, factor)) shouldBe outcome(a, b, other, factor)
        }
    }

    @Test
    fun `what holds of a smaller claim's larger sister holds of the smaller one`() = properties {
        checkAll(config, rates, rates, factors) { a, b, factor ->
            val outcome = outcome(a, b, Relation.AT_LEAST, factor)
            if (outcome == HOLDS) outcome(a, b, Relation.AT_LEAST, factor * 0.9) shouldBe HOLDS
            if (outcome == FAILS) outcome(a, b, Relation.AT_LEAST, factor * 1.1) shouldBe FAILS
        }
    }

    @Test
    fun `it does not matter which side is named first`() = properties {
        checkAll(config, rates, rates, factors) { a, b, factor ->
            outcome(a, b, Relation.AT_LEAST, factor) shouldBe outcome(b, a, Relation.AT_MOST, 1 / factor)
        }
    }

    @Test
    fun `the order of statements does not change a verdict, and unknown ones never make it surer`() = properties {
        checkAll(config, outcomes, outcomes) { published, corrected ->
            val verdict = verdict(published, corrected)
            verdict(published.reversed(), corrected.reversed()) shouldBe verdict
            val more = verdict(published, corrected + UNKNOWN)
            if (corrected.isNotEmpty() && verdict == ClaimVerdict.CANNOT_TELL_HERE) more shouldBe verdict
            val isSure = more == ClaimVerdict.CONFIRMED || more == ClaimVerdict.REFUTED
            if (isSure) throw AssertionError("$published $corrected: $more")
        }
    }

    @Test
    fun `a claim is confirmed or refuted only where all that decides it agrees`() = properties {
        checkAll(config, outcomes, outcomes) { published, corrected ->
            val deciding = corrected.ifEmpty { published }
            when (verdict(published, corrected)) {
                ClaimVerdict.CONFIRMED -> deciding.toSet() shouldBe setOf(HOLDS)
                ClaimVerdict.REFUTED -> deciding.toSet() shouldBe setOf(FAILS)
                ClaimVerdict.CONFIRMED_WITHIN_A_RANGE -> (HOLDS in deciding && deciding.toSet().size > 1) shouldBe true
                ClaimVerdict.DECIDED_BY_THE_SETTING -> throw AssertionError("there are no ceilings here")
                ClaimVerdict.CANNOT_TELL_HERE ->
                    (HOLDS !in deciding && (UNKNOWN in deciding || deciding.isEmpty())) shouldBe true
            }
        }
    }

    @Test
    fun `what a setting forces is never confirmed and never refuted`() = properties {
        checkAll(config, outcomes) { corrected ->
            val checks = corrected.map { check(it, forced = it != UNKNOWN) }
            val verdict = judgeClaim(Claim("c", "So."), emptyList(), checks).verdict
            val isKnown = corrected.isNotEmpty() && UNKNOWN !in corrected
            verdict shouldBe if (isKnown) ClaimVerdict.DECIDED_BY_THE_SETTING else ClaimVerdict.CANNOT_TELL_HERE
        }
    }

    private fun outcome(a: List<Double>, b: List<Double>, relation: Relation, factor: Double): CheckOutcome {
        val size = minOf(a.size, b.size)
        val right = Bound.Times(factor, ClaimCell("b", "s"))
        val statement = Statement(ClaimMeasure.THROUGHPUT, ClaimCell("a", "s"), relation, right)
        return judge(recordOf(listOf(Asked("s", 50, a.take(size), b.take(size))), listOf(claimOf(statement))))
            .claims.single().checks.first().outcome
    }

    private fun mirror(outcome: CheckOutcome) = when (outcome) {
        HOLDS -> FAILS
        FAILS -> HOLDS
        UNKNOWN -> UNKNOWN
    }

    private fun verdict(published: List<CheckOutcome>, corrected: List<CheckOutcome>) =
        judgeClaim(Claim("c", "So."), published.map { check(it) }, corrected.map { check(it) }).verdict

    private fun check(outcome: CheckOutcome, forced: Boolean = false) = ClaimCheck(
        atLeast(2.0, "s"), asPublished = false, outcome, CheckFinding.Found, evidence = emptyList(), isForced = forced,
        ceilings = if (forced) listOf(Ceiling(TWO_HUNDRED_USERS, 200.0, reached = true)) else emptyList(),
    )

    private fun properties(check: suspend () -> Unit) = runBlocking { check() }
}

private val TWO_HUNDRED_USERS =
    CeilingCause.Concurrency(200, LimitedThing.USERS, listOf(LeastWait(WaitKind.SERVICE, 1_000.0)))
