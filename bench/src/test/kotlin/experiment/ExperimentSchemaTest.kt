package threadgauge.experiment

import com.networknt.schema.InputFormat
import com.networknt.schema.Schema
import com.networknt.schema.SchemaLocation
import com.networknt.schema.SchemaRegistry
import com.networknt.schema.SpecificationVersion
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import it.krzeminski.snakeyaml.engine.kmp.api.Load
import it.krzeminski.snakeyaml.engine.kmp.api.LoadSettings
import it.krzeminski.snakeyaml.engine.kmp.schema.CoreSchema
import java.nio.file.Files
import kotlin.io.path.readText
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Test
import threadgauge.experiment.request.PROTOCOLS
import threadgauge.experiment.stack.MODELS
import threadgauge.experiment.stack.StackCatalogue
import threadgauge.experiment.yaml.Fields
import threadgauge.model.ServiceKind
import threadgauge.model.claim.ClaimMeasure

/** Compares `docs/experiment.schema.json`, which editors use, with the reader, which decides. */
class ExperimentSchemaTest {
    private val text = projectRoot().resolve("docs/experiment.schema.json").readText()
    private val root = Json.parseToJsonElement(text).jsonObject
    private val registry = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
    private val schema = registry.getSchema(text, InputFormat.JSON)

    @Test
    fun `the schema is valid by the schema of schemas`() {
        val meta = registry.getSchema(SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"))
        meta.validate(text, InputFormat.JSON).map { it.toString() }.shouldBeEmpty()
        val broken = text.replaceFirst("\"minItems\": 1", "\"minItems\": -1")
        meta.validate(broken, InputFormat.JSON).isEmpty() shouldBe false
    }

    @Test
    fun `every experiment that is shipped is valid`() {
        val files = Files.walk(projectRoot().resolve("experiments"))
            .use { all -> all.filter { it.toString().endsWith(".yaml") }.toList() }
        files.size shouldBeGreaterThan 30
        val shop = projectRoot().resolve("benchmarks/shop/shop.yaml")
        (files + listOf(shop)).flatMap { file -> schema.problems(file.readText()).map { "${file.fileName}: $it" } }
            .shouldBeEmpty()
    }

    @Test
    fun `what the reader accepts is valid`() {
        for (file in listOf(WHOLE, SHORT, OWN, PLAYED) + VALID_TOO.map { it.text }) {
            withClue(file) { problemsOfReader(file) + schema.problems(file) shouldBe emptyList() }
        }
    }

    @Test
    fun `files with one mistake are rejected by the reader and by the schema`() {
        BROKEN.size shouldBeGreaterThan 100
        BROKEN.map { "$it" }.distinct().size shouldBe BROKEN.size
        BROKEN.filter { problemsOfReader(it.text).isEmpty() }.map { "$it" }.shouldBeEmpty()
        missedBy(schema).shouldBeEmpty()
    }

    @Test
    fun `a schema that demands less misses mistakes`() {
        missedBy(registry.getSchema("{}", InputFormat.JSON)).size shouldBe BROKEN.size
        val unclosed = text.replace("\"additionalProperties\": false", "\"additionalProperties\": true")
        missedBy(registry.getSchema(unclosed, InputFormat.JSON)).size shouldBeGreaterThan 10
        // Those without a message are conditions.
        val patternless = text.replace(Regex("\"pattern\"(: \".*\",\\s+\"errorMessage\")"), "\"format\"$1")
        missedBy(registry.getSchema(patternless, InputFormat.JSON)).size shouldBeGreaterThan 50
    }

    @Test
    fun `some mistakes only the reader sees`() {
        for (file in SEEN_BY_READER_ALONE) withClue(file) {
            problemsOfReader(file.text).isEmpty() shouldBe false
            schema.problems(file.text).shouldBeEmpty()
        }
    }

    @Test
    fun `the keys of each part are those that the reader names`() {
        for (part in PARTS) withClue(part.name) {
            val keys = part.places.flatMap { place -> place.inSchema().getValue("properties").jsonObject.entries }
                .filterNot { (_, key) -> key.isDeprecated() }.map { it.key }.toSet()
            keys shouldContainExactlyInAnyOrder keysOfReader(part).toSet()
        }
    }

    @Test
    fun `every part that takes fixed keys is compared with the reader`() {
        val compared = PARTS.flatMap { it.places }
        closed().keys.toList() shouldContainExactlyInAnyOrder compared
    }

    @Test
    fun `every key is described, and has an old name where the reader accepts one`() {
        for ((place, part) in closed()) withClue(place) {
            val keys = part.getValue("properties").jsonObject
            val undescribed = keys.filterValues { key ->
                val words = key.jsonObject["description"]?.jsonPrimitive?.content.orEmpty()
                words.firstOrNull()?.isUpperCase() != true || !words.endsWith(".") || words.length > 200
            }
            undescribed.keys.shouldBeEmpty()
            val old = Fields.RENAMED.filterValues { it in keys }.keys
            keys.filterValues { it.isDeprecated() }.keys shouldBe old
        }
    }

    @Test
    fun `fixed words are those of the reader`() {
        val catalogue = StackCatalogue.read(projectRoot())
        "\$defs/stack/anyOf/0".words() shouldContainExactlyInAnyOrder catalogue.names
        for (name in catalogue.names) {
            schema.problems(SHORT.replace("stacks: ktor-netty", "stacks: $name+tuned+more")).shouldBeEmpty()
        }
        val databases = catalogue.services.filter { it.kind == ServiceKind.DATABASE || it.kind == ServiceKind.BOOKS }
        "properties/database/anyOf/0".words() shouldContainExactlyInAnyOrder databases.map { it.name }
        "\$defs/connections/properties/protocol".words() shouldContainExactly PROTOCOLS.keys.toList()
        "\$defs/ownStack/properties/model".words() shouldContainExactly MODELS.keys.toList()
        for (measure in ClaimMeasure.entries) {
            val claim = WHOLE.replace("p99 of ktor-netty < 50ms in hello", "${measure.word} of ktor-netty > spring-mvc")
            schema.problems(claim).shouldBeEmpty()
            problemsOfReader(claim).shouldBeEmpty()
        }
    }

    private fun missedBy(schema: Schema) = BROKEN.filter { schema.problems(it.text).isEmpty() }.map { "$it" }

    /** The keys in the remedy for a key that no part has. */
    private fun keysOfReader(part: Part): List<String> {
        val file = ChangedExperiment(part.file, part.old, part.new).text
        val remedies = problemsOfReader(file).filter { "unknown key \"no-such-key\" in ${part.name} |" in it }
        return remedies.single().substringAfter("Known here: ").removeSuffix(".").split(", ")
    }

    /** The part of the schema at a path of keys and indices. */
    private fun String.inSchema(): JsonObject = split('/').filter { it.isNotEmpty() }
        .fold(root as JsonElement) { part, step ->
            if (part is JsonArray) part[step.toInt()] else part.jsonObject.getValue(step)
        }.jsonObject

    private fun String.words() = inSchema().getValue("enum").jsonArray.map { it.jsonPrimitive.content }

    private fun JsonElement.isDeprecated() = jsonObject["deprecated"] == JsonPrimitive(true)

    /** Parts of the schema that take no other keys than theirs, by their place. */
    private fun closed(part: JsonElement = root, place: String = ""): Map<String, JsonObject> {
        val inner = when (part) {
            is JsonArray -> part.withIndex().associate { (index, member) -> "$index" to member }
            is JsonObject -> part
            else -> emptyMap()
        }
        val own = if (part is JsonObject && part["additionalProperties"] == NO) mapOf(place to part) else emptyMap()
        return own + inner.flatMap { (step, member) -> closed(member, "$place/$step".removePrefix("/")).entries }
            .associate { it.toPair() }
    }
}

/**
 * A part of an experiment file: its [name] in messages, a change of [file] that gives it the key `no-such-key`, and its
 * [places] in the schema.
 */
private class Part(val name: String, val old: String, val new: String, vararg places: String) {
    val places = places.toList()
    val file = listOf(WHOLE, OWN, PLAYED).first { old in it }
}

private val PARTS = listOf(
    Part("an experiment", "trials: 3", "trials: 3\nno-such-key: 1", ""),
    Part("source", "title: A post", "title: A post, no-such-key: 1", "properties/source"),
    Part("database", "postgresql\n", "{no-such-key: 1}\n", "properties/database/anyOf/1"),
    Part("agents", "token: secrets/agents", "no-such-key: 1", "properties/agents/anyOf/1"),
    Part(
        "agents in a cluster", "hosts: [load1, load2:7401], token: secrets/agents", "kubernetes: 2, no-such-key: 1",
        "properties/agents/anyOf/2",
    ),
    Part("warm-up", "budget: 30s", "budget: 30s, no-such-key: 1", "properties/warm-up/anyOf/1"),
    Part("a situation", "GET /hello", "GET /hello\n    no-such-key: 1", "\$defs/situation"),
    Part("a request", "gzip: yes", "gzip: yes\n      no-such-key: 1", "\$defs/requestKeys"),
    Part("a scenario", "weight: 70%", "weight: 70%\n    no-such-key: 1", "\$defs/scenario"),
    Part("a pause", "think: 1s..3s}", "think: 1s..3s, no-such-key: 1}", "\$defs/pause"),
    Part("a repetition", "repeat: 3", "repeat: 3, no-such-key: 1", "\$defs/repetition"),
    Part("a step", "name: look", "name: look, no-such-key: 1", "\$defs/stepKeys"),
    Part("expect", "contains: granted", "no-such-key: 1", "\$defs/expect"),
    Part(
        "a load", "users: 50", "users: 50, no-such-key: 1", "\$defs/users", "\$defs/loops", "\$defs/rateLoad",
        "\$defs/poisson", "\$defs/ramp", "\$defs/burst", "\$defs/burstStep", "\$defs/steps",
    ),
    Part("connections", "streams: 10", "streams: 10, no-such-key: 1", "\$defs/connections"),
    Part("tls", "insecure: yes", "no-such-key: 1", "\$defs/connections/properties/tls/anyOf/1"),
    Part("a sale", "seats: 500", "seats: 500, no-such-key: 1", "\$defs/sale"),
    Part("a stack of your own", "port: 8080", "port: 8080\n    no-such-key: 1", "\$defs/ownStack"),
    Part("a service of your own", "ready: tcp {port}", "no-such-key: 1", "\$defs/service"),
    Part("a stand-in", "delay: 80ms..120ms", "delay: 80ms..120ms, no-such-key: 1", "\$defs/standIn"),
    Part("a claim", "name: twice", "name: twice\n    no-such-key: 1", "\$defs/claim"),
)

private val NO = JsonPrimitive(false)

private fun Schema.problems(yaml: String): List<String> =
    validate(jsonOf(editorYaml.loadOne(yaml)).toString(), InputFormat.JSON).map { it.toString() }

/** Values by the core schema of YAML 1.2, which editors use: `yes` is a text there. */
private val editorYaml = Load(LoadSettings(schema = CoreSchema()))

private fun jsonOf(value: Any?): JsonElement = when (value) {
    null -> JsonNull
    is Map<*, *> -> JsonObject(value.entries.associate { (key, inner) -> "$key" to jsonOf(inner) })
    is List<*> -> JsonArray(value.map(::jsonOf))
    is Boolean -> JsonPrimitive(value)
    is Number -> JsonPrimitive(value)
    else -> JsonPrimitive("$value")
}
