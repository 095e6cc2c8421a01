package threadgauge.report.json

import io.kotest.matchers.shouldBe
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Test
import threadgauge.report.EXAMPLE_VARIANTS
import threadgauge.report.exampleJudgement
import threadgauge.report.exampleRecord
import threadgauge.report.recordWithFailedTrials
import threadgauge.report.shouldBeApproved

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
        Json.decodeFromString(JsonReport.serializer(), document).judgement shouldBe example.judgement
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
}
