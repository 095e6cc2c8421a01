package threadgauge.report.html.claim

import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test
import org.w3c.dom.Document
import threadgauge.model.judgement.claim.ClaimJudgement
import threadgauge.model.judgement.claim.ClaimVerdict
import threadgauge.report.HOSTILE
import threadgauge.report.attribute
import threadgauge.report.elements
import threadgauge.report.exampleWithClaims
import threadgauge.report.html.chart.cssPercent
import threadgauge.report.parse
import threadgauge.wording.claim.words

class ClaimsPictureTest {
    private val example = exampleWithClaims()

    private fun picture(claims: List<ClaimJudgement> = example.judgement.claims) =
        claimsPicture(example.record, example.judgement.copy(claims = claims))

    @Test
    fun `it has every claim with its verdict, and each statement that was measured on the scale`() {
        val document = parse(picture()!!)
        val text = document.documentElement.textContent
        ClaimVerdict.entries.forEach { text shouldContain it.words }
        text shouldContain "“WebFlux serves 14 times as much as MVC.”"
        text shouldContain "21.3× 20.1–22.6"
        // Confirmed, within a range and refuted have one each, decided by the setting two, and the last none.
        document.ofClass("holds").size shouldBe 5 + ITS_KEY
        text shouldContain "Not measured: heap at the first GC needs `rest: 20s`"
    }

    @Test
    fun `what was found lies where the scale says, and the claim holds to its right`() {
        val document = parse(picture()!!)
        val margin = example.record.plan.experiment.margin
        val checks = example.judgement.claims.flatMap { it.checks }
        val scale = ClaimScale(checks.mapNotNull { it.againstClaim(margin) }, margin)
        val found = document.ofClass("point").drop(ITS_KEY).map { it.getAttribute("cx") }.distinct()
        found shouldBe listOf(cssPercent(scale.at(21.3 / 14)))
        document.ofClass("holds").drop(ITS_KEY).map { it.getAttribute("x") }.distinct() shouldBe
            listOf(cssPercent(scale.at(1.0)))
    }

    @Test
    fun `of many statements some are drawn and the rest is counted`() {
        val claim = example.judgement.claims.first()
        val many = picture(listOf(claim.copy(checks = List(12) { claim.checks.first() })))!!
        parse(many).ofClass("holds").size shouldBe 8 + ITS_KEY
        many shouldContain "and 4 more in the report"
    }

    @Test
    fun `a stranger's words are words, and nothing is loaded`() {
        val claim = example.judgement.claims.first()
        val hostile = picture(listOf(claim.copy(claim = claim.claim.copy(says = HOSTILE))))!!
        parse(hostile).getElementsByTagName("script").length shouldBe 0
        hostile shouldNotContain "<img"
        hostile shouldNotContain "url("
        hostile shouldNotContain "href"
    }

    @Test
    fun `without claims there is none`() {
        picture(emptyList()) shouldBe null
    }

    private fun Document.ofClass(name: String) = elements().filter { it.attribute("class") == name }

    companion object {
        /** Drawn once at the top of the picture, to say what the signs mean. */
        private const val ITS_KEY = 1
    }
}
