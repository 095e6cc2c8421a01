package threadgauge.contract.check.runtime

import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.booleanOrNull
import kotlinx.serialization.json.doubleOrNull
import kotlinx.serialization.json.intOrNull
import kotlinx.serialization.json.longOrNull
import threadgauge.contract.check.Check
import threadgauge.contract.client.Answer
import threadgauge.contract.client.ContractClient
import threadgauge.contract.client.ContractViolation

/** The self-report: complete, and correct as far as a request can show. A mislabelled server must not be measured. */
internal val runtimeChecks: List<Check> = listOf(
    Check("/runtime reports what the bench needs, as JSON", "/runtime") {
        val report = runtime()
        listOf("stack", "framework", "engine", "model", "java").forEach { report.must("/$it", "a text") { isText } }
        report.must("/handlerThread/name", "a text") { this is JsonPrimitive && isString }
        report.must("/handlerThread/virtual", "true or false") { this is JsonPrimitive && booleanOrNull != null }
        report.must("/processors", "a whole number from 1") { isWhole(1) }
        report.must("/pid", "a whole number from 1") { isWhole(1) }
        report.must("/heapMaxBytes", "a whole number from 1") { isWhole(1) }
        report.must("/collectors", "a list of texts") { this is JsonArray && isNotEmpty() && all { it.isText } }
        report.must("/concurrencyLimits", "whole numbers from 1 by first part of a path") {
            this is JsonObject && all { (path, limit) -> path.startsWith("/") && limit.isWhole(1) }
        }
        report.must("/maxConnections", "a whole number from 1, or null") { this is JsonNull || isWhole(1) }
        report.must("/maxCalls", "a whole number from 1, or null") { this is JsonNull || isWhole(1) }
        report.must("/settings", "texts by name") { this is JsonObject && values.all { it.isText } }
        report.must("/startupMillis", "a number or null") {
            this is JsonNull || this is JsonPrimitive && !isString && doubleOrNull != null
        }
    },
    Check("/runtime names the stack that was started", "/runtime") {
        runtime().must("/stack", "\"$stack\"") { this is JsonPrimitive && content == stack }
    },
    Check("/runtime names the model of the stack", "/runtime") {
        runtime().must("/model", "\"$model\"") { this is JsonPrimitive && content == model }
    },
    Check("handlers run on the kind of thread that belongs to the model", "/runtime") {
        val virtual = model == "VIRTUAL_THREADS"
        runtime().must("/handlerThread/virtual", "$virtual, for the model is $model") {
            this is JsonPrimitive && booleanOrNull == virtual
        }
    },
    Check("the name of the handler's thread fits the model", "/runtime") {
        val names = threadNames[model] ?: return@Check
        runtime().must("/handlerThread/name", "${names.words}, for the model is $model") {
            this is JsonPrimitive && names.pattern.matches(content)
        }
    },
)

private class Names(val words: String, val pattern: Regex)

/**
 * Names of threads by model. Virtual threads often have none.
 *
 * On a servlet container coroutines begin on a container thread (`http-nio-8080-exec-1`, with TLS
 * `https-jsse-nio-8443-exec-1`), because Spring MVC gives them no dispatcher, and leave it at their first suspension.
 * So such a name fits two models: it does not distinguish a coroutine from a thread per request.
 */
private val threadNames = mapOf(
    "PLATFORM_THREADS" to
        Names("no event loop and no dispatcher", Regex("(?i)(?!.*(event-?loop|reactor-http|Dispatcher)).+")),
    // When a session is created, Spring WebFlux resumes the handler on a Reactor thread that must not block either.
    "EVENT_LOOP" to Names("an event loop", Regex("(?i).*(event-?loop|reactor-http).*|parallel-[0-9]+")),
    "COROUTINES" to Names(
        "an event loop, a thread of a dispatcher or one of a servlet container",
        Regex("(?i).*(event-?loop|reactor-http|Dispatcher|https?-((jsse|openssl)-)?nio2?-.*-exec-).*|parallel-[0-9]+"),
    ),
)

private class Report(private val answer: Answer, private val json: JsonElement) {
    /** The limit of the longest beginning of [path] that has one. Null without one. */
    fun limitOf(path: String): Int? =
        (json as? JsonObject)?.get("concurrencyLimits").let { it as? JsonObject }.orEmpty()
            .filterKeys { path == it || path.startsWith("$it/") }.maxByOrNull { it.key.length }
            ?.value.let { it as? JsonPrimitive }?.intOrNull

    /** [path] is a JSON pointer without escapes. A missing field counts as null. */
    fun must(path: String, expected: String, holds: JsonElement.() -> Boolean) {
        val value = path.drop(1).split('/').fold(json) { at, name -> (at as? JsonObject)?.get(name) ?: JsonNull }
        answer.must(value.holds()) { "expected ${path.drop(1).replace('/', '.')} to be $expected, got $value" }
    }
}

/** How many requests can be inside the handler of [path] at one time, as the server reports. Null without a limit. */
fun ContractClient.limitOf(path: String): Int? = runtime().limitOf(path)

private fun ContractClient.runtime(): Report {
    val answer = get("/runtime").mustHaveStatus(200).mustBeOfType("application/json")
    val json = try {
        Json.parseToJsonElement(answer.text)
    } catch (malformed: SerializationException) {
        val reason = malformed.message?.lineSequence()?.first()
        val got = Answer.quoted(answer.text)
        throw ContractViolation("${answer.request}: expected JSON, got $got ($reason)")
    }
    return Report(answer, json)
}

private val JsonElement.isText: Boolean get() = this is JsonPrimitive && isString && content.isNotBlank()

private fun JsonElement.isWhole(least: Long) = this is JsonPrimitive && !isString && (longOrNull ?: -1) >= least
