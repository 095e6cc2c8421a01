package threadgauge.report.doctor

import com.github.ajalt.mordant.rendering.AnsiLevel
import com.github.ajalt.mordant.terminal.Terminal
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Test
import threadgauge.model.Checkup
import threadgauge.model.judgement.Diagnosis
import threadgauge.report.exampleCheckup
import threadgauge.report.exampleDiagnosis
import threadgauge.report.shouldBeApproved
import threadgauge.wording.machine.command

/** On an invented diagnosis: the real one is made by `judge`, which a report must not need. */
class DoctorReportTest {
    @Test
    fun `a machine with a problem and a note reads as approved`() {
        shouldBeApproved(text(exampleDiagnosis()), "doctor.approved.txt")
    }

    @Test
    fun `a sound machine is told so in the first line`() {
        val sound = exampleDiagnosis().let { it.copy(fit = true, findings = it.findings.drop(2)) }
        text(sound).lines().first() shouldBe "This machine is fit to measure. No problem was found."
        text(sound) shouldNotContain "Fix"
    }

    @Test
    fun `no line is longer than 80 columns, and no command is broken`() {
        text(exampleDiagnosis()).lines().filter { it.length > 80 }.shouldBeEmpty()
        val commands = exampleDiagnosis().findings.mapNotNull { it.command() }
        commands.forEach { text(exampleDiagnosis()) shouldContain "    $ $it" }
    }

    @Test
    fun `without colour it says the same as with it`() {
        val coloured = text(exampleDiagnosis(), AnsiLevel.TRUECOLOR)
        coloured shouldContain "\u001B["
        coloured.replace(Regex("\u001B\\[[0-9;]*m"), "").lines()
            .joinToString("\n") { it.trimEnd() } shouldBe text(exampleDiagnosis())
    }

    @Test
    fun `what is not known is left out of the words`() {
        val empty = exampleCheckup().copy(rounds = emptyList(), lags = emptyList())
        val reach = exampleDiagnosis().reach.copy(
            agentPerSecond = null, agentCpuMicrosPerRequest = null, soundPerSecond = null, maxPerSecond = null,
            latencies = emptyList(),
            connectionsOfAgent = null, connectionsOfTarget = null, smallestDifference = null,
        )
        for (word in listOf("null", "NaN", "throughput", "p99")) withClue(word) {
            text(exampleDiagnosis().copy(reach = reach), checkup = empty) shouldNotContain word
        }
    }

    @Test
    fun `the document for programs holds check-up and diagnosis, and can be read back`() {
        val document = doctorJson(exampleCheckup(), exampleDiagnosis())
        Json { ignoreUnknownKeys = true }.decodeFromString(DoctorDocument.serializer(), document) shouldBe
            DoctorDocument(checkup = exampleCheckup(), diagnosis = exampleDiagnosis())
        document.last() shouldBe '\n'
    }

    @Test
    fun `the document for programs has id, figures, limit and words of each finding`() {
        val document = Json.parseToJsonElement(doctorJson(exampleCheckup(), exampleDiagnosis())).jsonObject
        val findings = document.getValue("diagnosis").jsonObject.getValue("findings").jsonArray.map { it.jsonObject }
        findings.first() shouldBe Json.parseToJsonElement(
            """
            {"id": "open-files", "severity": "PROBLEM",
             "fact": {"type": "open-files", "soft": 1024, "hard": 1024, "limit": 1200},
             "seen": "1,024 (soft) and 1,024 (hard) per process (1,200 needed)",
             "why": "Each connection takes one open file in the load agent and one in the target.",
             "remedy": "Raise the limit in the shell from which you start Threadgauge:",
             "command": "sudo prlimit --pid $$ --nofile=65536"}
            """,
        )
        findings.last().getValue("remedy") shouldBe JsonNull
    }

    @Test
    fun `what runs should reach is data, with the words beside it, and null where it is unknown`() {
        fun precision(diagnosis: Diagnosis) = Json.parseToJsonElement(doctorJson(exampleCheckup(), diagnosis))
            .jsonObject.getValue("diagnosis").jsonObject.getValue("precision")
        val precision = precision(exampleDiagnosis()).jsonObject
        precision.getValue("awake") shouldBe Json.parseToJsonElement("""{"deviation": 0.0552, "rounds": 10}""")
        precision.getValue("runs").jsonArray[1] shouldBe Json.parseToJsonElement(
            """{"stacks": 2, "minutes": 5, "blocks": 4, "rounds": 60, "halfWidth": 0.0362}""",
        )
        precision.getValue("runs").jsonArray[0].jsonObject.getValue("halfWidth") shouldBe JsonNull
        precision.getValue("words").jsonPrimitive.content shouldContain "Two equal servers differ by 5.5 %"
        precision.getValue("assumptions").jsonPrimitive.content shouldContain "2 % is assumed"
        precision(exampleDiagnosis().copy(precision = null)) shouldBe JsonNull
        text(exampleDiagnosis().copy(precision = null)) shouldNotContain "equal servers"
    }

    private fun text(diagnosis: Diagnosis, ansi: AnsiLevel = AnsiLevel.NONE, checkup: Checkup = exampleCheckup()) =
        Terminal(ansiLevel = ansi, width = 80, interactive = false).render(doctorReport(checkup, diagnosis))
            .lines().joinToString("\n") { it.trimEnd() }
}
