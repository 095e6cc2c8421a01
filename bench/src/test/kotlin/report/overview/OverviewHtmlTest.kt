package threadgauge.report.overview

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test
import threadgauge.judge.claim.claimsOverRuns
import threadgauge.model.ConcurrencyModel
import threadgauge.model.judgement.claim.ClaimJudgement
import threadgauge.model.judgement.claim.ClaimVerdict.CONFIRMED
import threadgauge.model.judgement.claim.ClaimVerdict.REFUTED
import threadgauge.report.Example
import threadgauge.report.attribute
import threadgauge.report.descendants
import threadgauge.report.elements
import threadgauge.report.exampleRecord
import threadgauge.report.exampleWithClaims
import threadgauge.report.exampleWithGoals
import threadgauge.report.format.NARROW_SPACE
import threadgauge.report.format.number
import threadgauge.report.format.unbroken
import threadgauge.report.hostileJudgement
import threadgauge.report.hostileRecord
import threadgauge.report.html.claim.claimId
import threadgauge.report.html.section.words
import threadgauge.report.html.situationId
import threadgauge.report.parse
import threadgauge.wording.claim.words

/** One page over several runs, as a document. */
class OverviewHtmlTest {
    private val claimed = exampleWithClaims()
    private val plain = Example(exampleRecord())

    private fun page(vararg examples: Example) = overviewHtml(
        examples.mapIndexed { index, example ->
            OverviewRun(example.record, example.judgement, "run-$index/report.html")
        },
        claimsOverRuns(examples.map { it.record to it.judgement }),
    )

    @Test
    fun `of goals it counts the verdicts, with the way to their figures`() {
        val document = parse(page(plain, exampleWithGoals()))
        document.documentElement.textContent shouldContain "Goals: 2 kept, 3 broken, 5 cannot tell."
        document.elements().mapNotNull { it.attribute("href") }.filter { it.endsWith("#goals") } shouldBe
            listOf("run-1/report.html#goals")
    }

    @Test
    fun `each claim stands there with its verdict, why, drawing, and the way to its figures`() {
        val document = parse(page(plain, claimed))
        val text = document.documentElement.textContent
        claimed.judgement.claims.forEach { judged ->
            withClue(judged.claim.name) {
                val words = listOf(
                    judged.verdict.words, judged.claim.says, unbroken(judged.words()), unbroken(judged.claim.why!!),
                )
                words.forEach { text shouldContain it }
            }
        }
        val links = document.elements().mapNotNull { it.attribute("href") }
        links shouldContainAll claimed.judgement.claims.map { "run-1/report.html#${claimId(it)}" }
        links shouldContainAll listOf("run-0/report.html", "run-1/report.html")
        val drawn = document.elements().count { it.tagName == "rect" && it.attribute("class") == "holds" }
        drawn shouldBe claimed.judgement.claims.flatMap { it.checks }.count { it.ratio != null }
    }

    @Test
    fun `a claim that several runs asked alike has one row, and what they do not agree on cannot be told`() {
        val seed = claimed.record.plan.seed

        fun again(edit: (ClaimJudgement) -> ClaimJudgement): Example {
            val record = claimed.record.copy(plan = claimed.record.plan.copy(seed = 2))
            return Example(record, claimed.judgement.copy(claims = claimed.judgement.claims.map(edit)))
        }
        fun rows(other: Example) = parse(page(claimed, other)).elements().first { it.attribute("class") == "overview" }
            .descendants("tbody")[0].descendants("tr").map { it.textContent }

        val claims = claimed.judgement.claims
        val agreed = rows(again { it })
        agreed.size shouldBe claims.size
        agreed.zip(claims).forEach { (row, judged) ->
            row shouldContain judged.verdict.words
            listOf("seed $seed: ", "seed 2: ").forEach { row shouldContain it + judged.verdict.words.lowercase() }
        }
        val turned = rows(again { if (it.verdict == CONFIRMED) it.copy(verdict = REFUTED) else it })
        turned[0] shouldContain "Cannot tell hereWebFlux serves 14 times as much as MVC.The runs disagree."
        listOf("seed $seed: confirmed", "seed 2: refuted").forEach { turned[0] shouldContain it }
        turned.drop(1) shouldBe agreed.drop(1)
        val other = again { if (it.verdict == CONFIRMED) it.copy(verdict = REFUTED) else it }
        parse(page(claimed, other)).documentElement.textContent shouldContain
            "All claims were tested in more than one run. The runs disagree on 1 claim, which counts as cannot tell " +
            "here."
        // A first look does not stand against a full run.
        val quick = claimed.record.copy(
            plan = claimed.record.plan.copy(experiment = claimed.record.plan.experiment.copy(trials = 1)),
        )
        rows(Example(quick, claimed.judgement)).size shouldBe 2 * claims.size
    }

    @Test
    fun `runs of one day and seed are told apart by the time of day`() {
        val morning = Example(claimed.record.copy(startedAt = "2026-11-22T09:04:11.5Z"), claimed.judgement)
        val evening = Example(claimed.record.copy(startedAt = "2026-11-22T20:40:00Z"), claimed.judgement)
        val text = parse(page(morning, evening)).documentElement.textContent
        listOf("2026-11-22 09:04 UTC, seed ", "2026-11-22 20:40 UTC, seed ").forEach { text shouldContain it }
        val other = Example(evening.record.copy(
            plan = evening.record.plan.copy(seed = evening.record.plan.seed + 1),
        ), claimed.judgement)
        parse(page(morning, other)).documentElement.textContent shouldContain "2026-11-22, seed "
    }

    @Test
    fun `every stack stands once in each situation of its run, beneath its model, and leads to its figures there`() {
        val document = parse(page(plain, claimed))
        val decisions = document.elements().filter { it.attribute("class")?.startsWith("decision ") == true }
        val cells = listOf(plain, claimed).flatMapIndexed { number, example ->
            example.judgement.situations.flatMapIndexed { index, judged ->
                judged.cells.map { "run-$number/report.html#${situationId(index)}" }
            }
        }
        decisions.map { it.attribute("href") }.groupingBy { it }.eachCount() shouldBe cells.groupingBy { it }
            .eachCount()
        document.elements().single { it.attribute("id") == "decision-title" }
            .textContent shouldBe "Which model fits where"
        val headings =
            document.elements().first { it.attribute("class") == "decisions" }.descendants("thead")[0].textContent
        headings shouldBe "Requests that" +
            ConcurrencyModel.entries.filter { model -> plain.record.plan.stacks.any { it.model == model } }
                .joinToString("") { it.words.replaceFirstChar(Char::uppercase) }
    }

    @Test
    fun `runs that compare no models have no such table`() {
        val alone = Example(exampleRecord(stacks = 1))
        parse(page(alone, alone)).elements().count { it.attribute("class") == "decisions" } shouldBe 0
    }

    @Test
    fun `headings never skip a level, ids are unique, and links on the page have a target`() {
        val elements = parse(page(plain, claimed)).elements()
        val levels = elements.filter { it.tagName.matches(Regex("h[1-6]")) }.map { it.tagName.drop(1).toInt() }
        withClue(levels) { levels.zipWithNext().filter { (before, after) -> after > before + 1 }.shouldBeEmpty() }
        val ids = elements.mapNotNull { it.attribute("id") }
        ids.distinct() shouldBe ids
        ids shouldContainAll elements.mapNotNull { it.attribute("href") }.filter { it.startsWith("#") }
            .map { it.drop(1) }
    }

    @Test
    fun `the time of all runs is told where all of them ended`() {
        val ended = Example(
            plain.record.copy(startedAt = "2026-11-20T10:00:00Z", endedAt = "2026-11-20T10:12:30Z"), plain.judgement,
        )
        parse(page(ended, ended)).documentElement.textContent shouldContain "Measured in 25${NARROW_SPACE}min together"
        val running = Example(ended.record.copy(endedAt = null), ended.judgement)
        val odd = Example(ended.record.copy(startedAt = "yesterday"), ended.judgement)
        listOf(running, odd)
            .forEach { parse(page(ended, it)).documentElement.textContent shouldNotContain "min together" }
    }

    @Test
    fun `a stranger's words are words`() {
        val html = page(Example(hostileRecord(), hostileJudgement()), claimed)
        html shouldNotContain "<script>window.broken"
        html shouldNotContain "<img"
        parse(html).documentElement.tagName shouldBe "html"
    }
}
