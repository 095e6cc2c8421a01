package threadgauge.report.json

import io.kotest.matchers.shouldBe
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Test
import threadgauge.model.judgement.Judgement
import threadgauge.report.EXAMPLE_VARIANTS
import threadgauge.report.exampleJudgement
import threadgauge.report.exampleRecord
import threadgauge.report.exampleWithClaims
import threadgauge.report.exampleWithGoals
import threadgauge.report.recordWithFailedTrials
import threadgauge.report.shouldBeApproved
import threadgauge.wording.claim.words
import threadgauge.wording.goal.words

class JsonReportTest {
    @Test
    fun `the document of one stack and one trial reads as approved`() {
        val record = exampleRecord(stacks = 1, trials = 1)
        shouldBeApproved(jsonReport(record, exampleJudgement(record)), "json-one-stack.json")
    }

    @Test
    fun `every variant comes back as it went out`() = EXAMPLE_VARIANTS.values.forEach { variant ->
        val example = variant()
        val document = jsonReport(example.record, example.judgement)
        val judgement = Json.decodeFromString(JsonReport.serializer(), document).judgement
        DATA_ALONE.decodeFromJsonElement(Judgement.serializer(), judgement) shouldBe example.judgement
    }

    @Test
    fun `what was not measured is null and not left out`() {
        val record = recordWithFailedTrials()
        val document = Json.parseToJsonElement(jsonReport(record, exampleJudgement(record))).jsonObject
        val situation = document.getValue("judgement").jsonObject.getValue("situations").jsonArray[0].jsonObject
        val ktor = situation.getValue("cells").jsonArray[3].jsonObject
        ktor.getValue("stack").jsonPrimitive.content shouldBe "ktor-netty"
        ktor["throughput"] shouldBe JsonNull
        document.getValue("failedTrials").jsonArray.size shouldBe 6
    }

    @Test
    fun `claims and their checks have words beside their data`() {
        val example = exampleWithClaims()
        val document = Json.parseToJsonElement(jsonReport(example.record, example.judgement)).jsonObject
        val claims = document.getValue("judgement").jsonObject.getValue("claims").jsonArray.map { it.jsonObject }
        fun JsonObject.words() = getValue("words").jsonPrimitive.content
        claims.map { it.words() } shouldBe example.judgement.claims.map { it.words() }
        claims.map { claim -> claim.getValue("checks").jsonArray.map { it.jsonObject.words() } } shouldBe
            example.judgement.claims.map { claim -> claim.checks.map { it.words() } }
    }

    @Test
    fun `goals have words beside their data`() {
        val example = exampleWithGoals()
        val document = Json.parseToJsonElement(jsonReport(example.record, example.judgement)).jsonObject
        val goals = document.getValue("judgement").jsonObject.getValue("goals").jsonArray.map { it.jsonObject }
        goals.map { it.getValue("words").jsonPrimitive.content } shouldBe example.judgement.goals.map { it.words() }
        goals.map { it.getValue("verdict").jsonPrimitive.content } shouldBe
            example.judgement.goals.map { it.verdict.name }
        val (kept, broken) = goals
        kept.getValue("goal").jsonObject.getValue("maxMicros").jsonPrimitive.content shouldBe "300000.0"
        broken.getValue("basis").jsonObject.getValue("type").jsonPrimitive.content shouldBe "interval"
    }

    private companion object {
        /** Leaves out the words that stand beside the data. */
        val DATA_ALONE = Json { ignoreUnknownKeys = true }
    }
}
