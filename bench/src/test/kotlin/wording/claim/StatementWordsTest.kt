package threadgauge.wording.claim

import io.kotest.matchers.collections.shouldBeUnique
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.model.claim.Bound
import threadgauge.model.claim.ClaimCell
import threadgauge.model.claim.ClaimMeasure
import threadgauge.model.claim.ClaimUnit
import threadgauge.model.claim.Relation
import threadgauge.model.claim.Statement
import threadgauge.model.judgement.claim.ClaimVerdict

class StatementWordsTest {
    @Test
    fun `a statement compares a figure with a value or with another figure`() {
        answersSoon("few").words() shouldBe "p99 latency of a in few is at most 50 ms"
        servesMore("many", "few", 14.0).words() shouldBe "Throughput of a in many is at least 14 times that of b in few"
        servesMore("few", factor = 1.0).words() shouldBe "Throughput of a in few is at least that of b in few"
        Statement(ClaimMeasure.RSS, ClaimCell("a"), Relation.LESS, Bound.Times(0.5, ClaimCell("b"))).words() shouldBe
            "Memory before any load of a is less than 0.5 times that of b"
        Statement(ClaimMeasure.ERRORS, ClaimCell("a", "few"), Relation.EQUAL, Bound.Value(0.0)).words() shouldBe
            "Error rate of a in few is 0 %"
    }

    @Test
    fun `of several things a statement speaks in the plural`() {
        val half = Bound.Times(0.5, ClaimCell("b"))
        Statement(ClaimMeasure.CLASSES, ClaimCell("a"), Relation.AT_MOST, half).words() shouldBe
            "Loaded classes before any load of a are at most 0.5 times those of b"
    }

    @Test
    fun `equal is just the value, and the same as another figure`() {
        fun words(right: Bound) =
            Statement(ClaimMeasure.P50, ClaimCell("a", "few"), Relation.EQUAL, right).words().substringAfter("few ")
        words(Bound.Value(10_000.0)) shouldBe "is 10 s"
        words(Bound.Times(1.0, ClaimCell("b", "few"))) shouldBe "is the same as that of b in few"
        words(Bound.Times(2.0, ClaimCell("b", "few"))) shouldBe "is 2 times that of b in few"
    }

    @Test
    fun `measures, relations and verdicts are told apart by their words`() {
        ClaimMeasure.entries.map { it.title }.shouldBeUnique()
        Relation.entries.map { it.words("5/s") }.shouldBeUnique()
        Relation.entries.map { it.asMuch }.shouldBeUnique()
        ClaimVerdict.entries.map { it.words }.shouldBeUnique()
        ClaimVerdict.entries.map { it.meaning }.shouldBeUnique()
    }

    @Test
    fun `values stand with their unit and three digits`() {
        ClaimUnit.PER_SECOND.text(2709.7) shouldBe "2,710/s"
        ClaimUnit.PER_SECOND.text(192.6) shouldBe "192.6/s"
        ClaimUnit.MILLIS.text(50.0) shouldBe "50 ms"
        ClaimUnit.MILLIS.text(1_500.0) shouldBe "1.50 s"
        ClaimUnit.MICROS.text(0.25) shouldBe "0.250 µs"
        ClaimUnit.MEGABYTES.text(195.04) shouldBe "195.0 MB"
        ClaimUnit.KILOBYTES.text(24.0) shouldBe "24 kB"
        ClaimUnit.SHARE.text(0.12) shouldBe "12 %"
        ClaimUnit.COUNT.text(15_000.0) shouldBe "15,000"
    }

    @Test
    fun `factors lose zeros, and ratios near 1 keep their third decimal`() {
        listOf(14.0, 0.5, 1.0 / 6, 1_000.0).map { factorText(it) } shouldBe listOf("14", "0.5", "0.167", "1,000")
        listOf(3.0, 1.0, 1.04, 21.34, 0.1053, 120.6).map { ratioText(it) } shouldBe
            listOf("3", "1.000", "1.040", "21.3", "0.105", "121")
    }
}
