package threadgauge.report.html.claim

import io.kotest.assertions.withClue
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.property.Arb
import io.kotest.property.PropTestConfig
import io.kotest.property.arbitrary.numericDouble
import io.kotest.property.checkAll
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Test
import threadgauge.model.claim.Bound
import threadgauge.model.claim.ClaimCell
import threadgauge.model.claim.ClaimMeasure
import threadgauge.model.claim.PublishedFigure
import threadgauge.model.claim.Relation
import threadgauge.model.claim.Statement
import threadgauge.model.judgement.CheckFinding
import threadgauge.model.judgement.Figure
import threadgauge.model.judgement.claim.CheckOutcome
import threadgauge.model.judgement.claim.ClaimCheck
import threadgauge.model.judgement.claim.ClaimEvidence

class ClaimScaleTest {
    private val few = ClaimCell("a", "few")
    private val many = ClaimCell("b", "many")

    private fun value(
        found: Figure?, claimed: Double, relation: Relation = Relation.LESS, published: PublishedFigure? = null,
    ) = ClaimCheck(
        Statement(ClaimMeasure.P99, few, relation, Bound.Value(claimed)), false, CheckOutcome.HOLDS, CheckFinding.Found,
        evidence = listOf(ClaimEvidence(few, published, found)),
    )

    private fun times(ratio: Figure?, factor: Double, published: List<PublishedFigure?>) = ClaimCheck(
        Statement(ClaimMeasure.THROUGHPUT, few, Relation.AT_LEAST, Bound.Times(factor, many)),
        true, CheckOutcome.HOLDS, CheckFinding.Found, ratio,
        listOf(few, many).zip(published) { cell, it -> ClaimEvidence(cell, it, Figure(1.0, 1.0, 1.0, listOf(1.0))) },
    )

    private fun published(cell: ClaimCell, low: Double, high: Double) =
        PublishedFigure(ClaimMeasure.THROUGHPUT, cell, low, high)

    @Test
    fun `values are divided by what is claimed`() {
        val check = value(Figure(60.0, 30.0, 90.0, listOf(60.0)), 30.0, published = published(few, 15.0, 45.0))
        val against = check.againstClaim(0.03)!!
        against.found shouldBe 2.0
        against.interval shouldBe 1.0..3.0
        against.published shouldBe 0.5..1.5
        against.holds shouldBe 0.0..1.0
    }

    @Test
    fun `of ratios the published one is divided by what is claimed, too, with all that its ranges allow`() {
        val ratio = Figure(28.0, 14.0, 42.0, emptyList())
        val check = times(ratio, 14.0, listOf(published(few, 280.0, 560.0), published(many, 10.0, 20.0)))
        val against = check.againstClaim(0.03)!!
        against.found shouldBe 2.0
        against.interval shouldBe 1.0..3.0
        against.published shouldBe 1.0..4.0
        against.holds.start shouldBe 1.0
        times(ratio, 14.0, listOf(published(few, 280.0, 560.0), null)).againstClaim(0.03)!!.published shouldBe null
    }

    @Test
    fun `where it holds follows from the sign and the margin`() {
        val one = Figure(1.0, 1.0, 1.0, listOf(1.0))
        fun holds(relation: Relation) = value(one, 1.0, relation).againstClaim(0.25)!!.holds
        listOf(Relation.LESS, Relation.AT_MOST).forEach { holds(it) shouldBe 0.0..1.0 }
        listOf(Relation.MORE, Relation.AT_LEAST).forEach { holds(it) shouldBe 1.0..Double.MAX_VALUE }
        holds(Relation.EQUAL) shouldBe 0.8..1.25
    }

    @Test
    fun `nothing has no place`() {
        value(null, 30.0).againstClaim(0.03) shouldBe null
        value(Figure(60.0, values = listOf(60.0)), 30.0).againstClaim(0.03) shouldBe null
        value(Figure(0.0, 0.0, 0.0, listOf(0.0)), 30.0).againstClaim(0.03) shouldBe null
        value(Figure(2_000.0, 2_000.0, 2_000.0, listOf(2_000.0)), 0.0).againstClaim(0.03) shouldBe null
        times(null, 14.0, listOf(null, null)).againstClaim(0.03) shouldBe null
    }

    @Test
    fun `twice and half are equally far from what is claimed`() {
        val scale = ClaimScale(listOf(AgainstClaim(5.0, 0.4..8.0, null, 1.0..2.0)), 0.03)
        scale.at(2.0) - scale.at(1.0) shouldBe (scale.at(1.0) - scale.at(0.5) plusOrMinus 1e-9)
        scale.at(0.0) shouldBe 0.0
        scale.at(1e9) shouldBe 1.0
        scale.ticks shouldBe listOf(0.5, 1.0, 2.0, 5.0, 10.0)
    }

    @Test
    fun `whatever was found, all of it is on the scale, in order, and its numbers do not run into each other`() {
        val multiples = Arb.numericDouble(0.002, 500.0)
        val margins = Arb.numericDouble(0.0, 0.2)
        runBlocking {
            val config = PropTestConfig(seed = 12, iterations = 500)
            checkAll(config, multiples, multiples, margins) { found, other, margin ->
                val interval = minOf(found, other)..maxOf(found, other)
                val scale = ClaimScale(listOf(AgainstClaim(found, interval, null, 1.0..2.0)), margin)
                withClue("$found in $interval: ${scale.ticks}") {
                    scale.at(interval.start) shouldBeGreaterThan 0.0
                    scale.at(interval.endInclusive) shouldBeLessThan 1.0
                    (1.0 in scale.ticks) shouldBe true
                    scale.ticks.map(scale::at).zipWithNext { a, b -> b - a }.forEach { it shouldBeGreaterThan 0.169 }
                }
            }
        }
    }
}
