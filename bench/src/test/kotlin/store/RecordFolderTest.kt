package threadgauge.store

import com.networknt.schema.InputFormat
import com.networknt.schema.SchemaRegistry
import com.networknt.schema.SpecificationVersion
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.readText
import kotlin.io.path.writeText
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.model.Record
import threadgauge.model.RunState
import threadgauge.model.SaleAudit
import threadgauge.model.SaleLedger
import threadgauge.model.SaleTerms
import threadgauge.model.Trial
import threadgauge.model.TrialState
import threadgauge.model.failure.Failure
import threadgauge.model.failure.LogEnd
import threadgauge.model.failure.TargetFault
import threadgauge.model.whyEnded
import threadgauge.model.whyFailed
import threadgauge.report.exampleRecord
import threadgauge.wording.failure.reason
import threadgauge.wording.failure.words

class RecordFolderTest {
    @TempDir
    lateinit var temporary: Path

    private val folder get() = RecordFolder(temporary.resolve("example-1"))

    @Test
    fun `a written record is read back unchanged`() {
        val record = exampleRecord()
        folder.create().write(record)
        folder.read() shouldBe record
        RecordFolder.of(folder.path.resolve("record.json")).read() shouldBe record
    }

    @Test
    fun `the first lines show whether a run is in progress, whatever its names are`() {
        val record = exampleRecord()
        folder.beginsAsRunning() shouldBe false
        folder.create().write(record.copy(id = "\"state\": \"RUNNING\""))
        folder.beginsAsRunning() shouldBe false
        folder.write(record.copy(state = RunState.RUNNING, endedAt = null))
        folder.beginsAsRunning() shouldBe true
    }

    @Test
    fun `a byte-order mark before a record is skipped, and another encoding is named`() {
        val record = exampleRecord()
        folder.create().write(record)
        val file = folder.path.resolve("record.json")
        val text = file.readText()
        file.writeText("\uFEFF$text")
        folder.read() shouldBe record
        pack(listOf(folder), temporary.resolve("records.zip"))
        val unpacked = unpack(temporary.resolve("records.zip"), temporary.resolve("unpacked")).single().read()
        unpacked.trials.size shouldBe record.trials.size
        file.writeText("\uFEFF$text", Charsets.UTF_16LE)
        shouldThrow<UnreadableRecord> { folder.read() }.words() shouldContain
            "is not UTF-8: it looks like UTF-16 (little-endian). Save it as UTF-8 in your editor"
    }

    @Test
    fun `a sale of an older version has a single event`() {
        val plain = exampleRecord()
        val sold = plain.copy(
            schema = 1,
            plan = plain.plan.copy(
                experiment = plain.plan.experiment.copy(
                    situations = plain.plan.experiment.situations.map { it.copy(sale = SaleTerms(9)) },
                ),
            ),
            trials = plain.trials.map { trial ->
                val audit = SaleAudit(SaleLedger(9, 8, 7, 6), acknowledged = 7)
                trial.copy(samples = trial.samples.map { it.copy(audit = audit) })
            },
        )
        folder.create().write(sold)
        val file = folder.path.resolve("record.json")
        val newer = file.readText()
        val older = newer.replace(Regex(""",\s*"(others": \[]|events": 1)"""), "")
        Regex("\"others\"").findAll(newer).count() shouldBe sold.trials.sumOf { it.samples.size }
        (older.length < newer.length && "\"others\"" !in older && "\"events\"" !in older) shouldBe true
        file.writeText(older)
        folder.read() shouldBe sold
    }

    @Test
    fun `limits of a server are read under the names of older versions`() {
        val plain = exampleRecord()
        val limits = { trial: Trial -> trial.copy(runtime = trial.runtime?.copy(maxConnections = 8, maxCalls = 100)) }
        val limited = plain.copy(trials = plain.trials.map(limits))
        folder.create().write(limited)
        val file = folder.path.resolve("record.json")
        val older = file.readText()
            .replace("\"maxConnections\"", "\"connectionsMost\"").replace("\"maxCalls\"", "\"callsMost\"")
        older shouldContain "\"connectionsMost\": 8"
        file.writeText(older)
        folder.read() shouldBe limited
    }

    @Test
    fun `a failure is read from a sentence of an older version, and written as data`() {
        val plain = exampleRecord()
        val died = Failure.Target(TargetFault.Ended(137), LogEnd("a.log", listOf("no memory")))
        val failed = plain.trials.first().copy(state = TrialState.FAILED, failure = died)
        val record = plain.copy(state = RunState.FAILED, failure = Failure.Run(died, "r"), trials = listOf(failed))
        folder.create().write(record)
        folder.read() shouldBe record
        val file = folder.path.resolve("record.json")
        file.readText() shouldNotContain "stateReason"
        val tree = Json.parseToJsonElement(file.readText()).jsonObject
        fun told(part: JsonObject, why: String) = part - "failure" + ("stateReason" to JsonPrimitive(why))
        val trial = JsonObject(told(tree.getValue("trials").jsonArray.single().jsonObject, "it fell"))
        val older = JsonObject(
            tree - "failure" + ("stateReason" to JsonPrimitive("it stopped")) + ("trials" to JsonArray(listOf(trial))),
        )
        file.writeText(older.toString())
        folder.read().whyEnded shouldBe Failure.Told("it stopped")
        folder.read().trials.single().whyFailed shouldBe Failure.Told("it fell")
        folder.read().trials.single().reason() shouldBe "it fell"
    }

    @Test
    fun `a write that fails leaves the last good record`() {
        val record = exampleRecord()
        folder.create().write(record)
        // A folder instead of the next file acts as a full disk: it cannot be written.
        folder.path.resolve("record.json.next").createDirectories().resolve("in-the-way").writeText("")
        shouldThrow<RecordNotWritten> { folder.write(record.copy(id = "other")) }
        folder.read() shouldBe record
    }

    @Test
    fun `a folder without a record, junk, and a newer schema have different faults`() {
        shouldThrow<UnreadableRecord> { folder.read() }.words() shouldContain "contains no record.json"
        folder.create().path.resolve("record.json").writeText("not json")
        shouldThrow<UnreadableRecord> { folder.read() }.words() shouldContain "is not a record"
        folder.path.resolve("record.json").writeText("{}")
        shouldThrow<UnreadableRecord> { folder.read() }.words() shouldContain "has no schema number"
        folder.path.resolve("record.json").writeText("[1]")
        shouldThrow<UnreadableRecord> { folder.read() }.words() shouldContain "is not a record"
        folder.path.resolve("record.json").writeText("""{"schema": 99}""")
        shouldThrow<UnreadableRecord> { folder.read() }.words() shouldContain "Use a newer Threadgauge"
    }

    @Test
    fun `the documented schema is that of written records`() {
        val generated =
            pretty.encodeToString(JsonSchema().of(Record.serializer().descriptor, "A record of Threadgauge")) + "\n"
        // To accept a change, copy the file named in the failure over the documented one.
        val proposal = Path.of("target/record.schema.json").also { it.writeText(generated) }
        check(DOCUMENTED.readText() == generated) {
            "docs/record.schema.json is not what the code writes; see bench/$proposal"
        }
    }

    @Test
    fun `a record on disk matches the documented schema, and a broken one does not`() {
        val registry = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
        val schema = registry.getSchema(DOCUMENTED.readText(), InputFormat.JSON)
        folder.create().write(exampleRecord())
        val written = folder.path.resolve("record.json").readText()
        schema.validate(written, InputFormat.JSON).map { it.toString() }.shouldBeEmpty()
        schema.validate(written.replaceFirst("\"windowMillis\"", "\"windowMilis\""), InputFormat.JSON)
            .shouldNotBeEmpty()
    }

    @Test
    fun `no file is left over from writing`() {
        folder.create().write(exampleRecord())
        Files.exists(folder.path.resolve("record.json.next")) shouldBe false
    }
}

private val DOCUMENTED = Path.of("../docs/record.schema.json")

private val pretty = Json {
    prettyPrint = true
    prettyPrintIndent = "  "
}
