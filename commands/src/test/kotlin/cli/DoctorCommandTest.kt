package threadgauge.cli

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldBeIn
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.boolean
import kotlinx.serialization.json.double
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir

/** The doctor on this machine, however busy: its figures must be consistent, and no process may be left. */
@Tag("processes")
class DoctorCommandTest {
    @TempDir
    lateinit var folder: Path

    private val commandLine get() = CommandLine(folder)

    @Test
    fun `one JSON document holds every figure, and the exit code says whether the machine is fit`() {
        val doctor = commandLine.start("doctor", "--json")
        doctor.awaitOutput("maximum throughput")
        val family = doctor.family()
        family.size shouldBeGreaterThan 1
        doctor.await()
        awaitAllGone(family)
        val document = Json.parseToJsonElement(doctor.out).jsonObject
        val checkup = document.part("checkup")
        val rounds = checkup.getValue("rounds").jsonArray.map { it.jsonObject }
        rounds shouldHaveSize 5
        for (round in rounds) {
            round.figure("requestsPerSecond") shouldBeGreaterThan 0.0
            round.figure("cpuMicrosPerRequest") shouldBeGreaterThan 0.0
        }
        val lags = checkup.getValue("lags").jsonArray.map { it.jsonObject }
        lags.map { it.figure("ratePerSecond") } shouldBe listOf(1_000.0, 5_000.0)
        for (delay in lags.map { it.part("sendDelay") }) {
            delay.figure("count") shouldBeGreaterThan 0.0
            (delay.figure("p50Micros") <= delay.figure("p99Micros")) shouldBe true
            (delay.figure("p99Micros") <= delay.figure("maxMicros")) shouldBe true
        }
        checkup.part("machine").figure("clockReadNanos") shouldBeGreaterThan 0.0

        // If cores can be kept awake, they are in every other round.
        val equal = checkup.getValue("equalServers").jsonArray.map { it.jsonObject }
        equal shouldHaveSize 6
        equal.count { it.getValue("awake").jsonPrimitive.boolean } shouldBeIn listOf(0, 3)
        for (server in equal.flatMap { listOf(it.part("first"), it.part("second")) }) {
            server.figure("requestsPerSecond") shouldBeGreaterThan 0.0
        }

        val diagnosis = document.part("diagnosis")
        diagnosis.part("precision").getValue("runs").jsonArray shouldHaveSize 8
        val findings = diagnosis.getValue("findings").jsonArray.map { it.jsonObject }
        val expected = listOf("cores", "spread", "sent-late", "open-files", "local-ports")
        findings.map { it.word("id") } shouldContainAll expected
        val fit = findings.none { it.word("severity") == "PROBLEM" }
        diagnosis.getValue("fit").jsonPrimitive.boolean shouldBe fit
        doctor.exitCode shouldBe if (fit) 0 else 2
        doctor.err shouldContain "Warming"
        filesLeft().shouldBeEmpty()
    }

    @Test
    fun `too low a limit of open files is reported as a problem in plain text, with exit code 2`() {
        val doctor = commandLine.start("doctor")
        doctor.awaitOutput("maximum throughput")
        doctor.limitOpenFiles(1_000)
        doctor.await().exitCode shouldBe 2
        doctor.out shouldContain "This machine is not fit to measure now"
        doctor.out shouldContain "open files: 1,000 (soft) and 1,000 (hard)"
        doctor.out shouldContain "$ sudo prlimit"
        val parts = listOf("throughput", "latency", "connections", "From one load agent up to 800", "p99")
        for (words in parts) doctor.out shouldContain words
        doctor.out.lines().filter { it.length > 80 }.shouldBeEmpty()
        doctor.out shouldNotContain "\u001b"
        doctor.err shouldBe ""
    }

    @Test
    fun `Ctrl-C stops everything at once, with exit code 130 and no logs left`() {
        val doctor = commandLine.start("doctor")
        doctor.awaitOutput("maximum throughput")
        val family = doctor.family()
        val log = logOf(doctor.member("AgentMainKt"))
        doctor.signal("INT")
        doctor.await().exitCode shouldBe 130
        awaitAllGone(family)
        doctor.err shouldContain "Interrupted"
        doctor.err shouldNotContain "bug"
        doctor.out shouldNotContain "fit to measure"
        withClue(log) { log?.let { Files.exists(it) } shouldBe log?.let { false } }
    }

    @Test
    fun `Ctrl-C while two equal servers are loaded stops both`() {
        val doctor = commandLine.start("doctor")
        doctor.awaitOutput("two equal servers")
        val family = doctor.family()
        val servers = family.map(::commandOf)
            .filter { "InternalServer" in it && it.substringBefore(' ').endsWith("java") }
        servers shouldHaveSize 2
        doctor.signal("INT")
        doctor.await().exitCode shouldBe 130
        awaitAllGone(family)
        doctor.err shouldContain "Interrupted"
        doctor.out shouldNotContain "fit to measure"
    }

    @Test
    fun `kill -9 of the agent ends the doctor, naming the log, with exit code 69`() {
        val doctor = commandLine.start("doctor")
        doctor.awaitOutput("maximum throughput")
        val family = doctor.family()
        doctor.member("AgentMainKt").destroyForcibly()
        doctor.await().exitCode shouldBe 69
        awaitAllGone(family)
        doctor.err shouldContain "agent.log"
        val log = Path.of(Regex("\\S*agent\\.log").find(doctor.err)!!.value)
        Files.exists(log) shouldBe true
        log.parent.toFile().deleteRecursively()
    }

    @Test
    fun `a wrong option is a usage error, and help lists the exit codes`() {
        commandLine.run("doctor", "--jsn").exitCode shouldBe 64
        commandLine.run("doctor", "now").exitCode shouldBe 64
        val help = commandLine.run("doctor", "--help")
        help.exitCode shouldBe 0
        help.out shouldContain "a problem was found"
        commandLine.run("--help").out shouldContain "doctor"
    }

    /** The file that the agent's error stream goes to, from `/proc`; null where there is none. */
    private fun logOf(agent: ProcessHandle): Path? =
        runCatching { Files.readSymbolicLink(Path.of("/proc/${agent.pid()}/fd/2")) }.getOrNull()

    /** Files besides the two that the test itself creates. */
    private fun filesLeft() = folder.listDirectoryEntries().filter { it.name !in setOf("out", "err") }
}

private fun JsonObject.part(name: String) = getValue(name).jsonObject

private fun JsonObject.figure(name: String) = getValue(name).jsonPrimitive.double

private fun JsonObject.word(name: String) = getValue(name).jsonPrimitive.content
