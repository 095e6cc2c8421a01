package threadgauge.draft.openapi

import io.swagger.v3.core.util.Json
import io.swagger.v3.oas.models.OpenAPI
import io.swagger.v3.oas.models.Operation
import io.swagger.v3.oas.models.PathItem.HttpMethod
import io.swagger.v3.oas.models.media.ArraySchema
import io.swagger.v3.oas.models.media.Schema
import io.swagger.v3.oas.models.parameters.Parameter
import io.swagger.v3.parser.OpenAPIV3Parser
import io.swagger.v3.parser.core.models.ParseOptions
import java.net.URI
import java.net.URLEncoder
import threadgauge.draft.Draft
import threadgauge.draft.DraftFailed
import threadgauge.draft.DraftScenario
import threadgauge.draft.DraftStep
import threadgauge.draft.nameOf

/**
 * An experiment whose users read what the OpenAPI document [text] describes. Requests that write are comments, because
 * nobody wants to send a thousand orders by accident; so are those with a parameter of which nothing is known.
 * References to other files and hosts are not followed. [target] is the service, where it is known. Throws
 * [DraftFailed].
 */
fun openApiDraft(text: String, target: Pair<String, String>? = null, name: String? = null): Draft {
    val options = ParseOptions().apply { isResolve = false }
    val parsed = try {
        OpenAPIV3Parser().readContents(text, null, options)
    } catch (broken: RuntimeException) {
        throw DraftFailed("It is no OpenAPI document: ${broken.message}")
    }
    val api = parsed.openAPI ?: throw DraftFailed(
        "It is no OpenAPI 3 document: ${parsed.messages.orEmpty().firstOrNull() ?: "nothing in it was understood"}.",
    )
    val steps = OpenApiSteps(api).steps()
    if (steps.none { it.toDo == null }) {
        val found = "Of ${steps.size} requests in it, none can be sent as it stands"
        throw DraftFailed("$found: it needs a GET without parameters, or with examples.")
    }
    val title = api.info?.title.orEmpty().lineSequence().first().replace('?', ' ').trim().take(MAX_TITLE)
        .ifEmpty { "this service" }
    return Draft(
        name = nameOf(name ?: title, "service"),
        question = "How many users does $title serve?",
        target = target,
        scenarios = listOf(DraftScenario("read", steps)),
        notes = listOf("From the OpenAPI document of $title."),
    )
}

private const val MAX_TITLE = 60

private class OpenApiSteps(private val api: OpenAPI) {
    /** Base path of the first server, without a slash at its end. */
    private val base = api.servers.orEmpty().firstOrNull()?.url
        ?.let { url -> runCatching { URI(url).rawPath }.getOrNull() }.orEmpty().trimEnd('/')
    private val lists = HashMap<String, String>()

    /** Those that can be sent come first, in the order of the document. */
    fun steps(): List<DraftStep> {
        val operations = api.paths.orEmpty().flatMap { (path, item) ->
            item.readOperationsMap().map { (method, operation) ->
                Triple(path, method, operation to (item.parameters.orEmpty() + operation.parameters.orEmpty()))
            }
        }.filter { (_, method, _) -> "$method" in METHODS }
        val steps = operations.map { (path, method, asked) -> step(path, method, asked.first, asked.second) }
        val (ready, open) = steps.partition { it.toDo == null }
        return ready.map { withKept(it) } + open
    }

    private fun step(path: String, method: HttpMethod, operation: Operation, parameters: List<Parameter>): DraftStep {
        val open = ArrayList<String>()
        val known = parameters.map { resolved(it) }
        val filled = PARAMETER.replace(path) { match ->
            val name = match.groupValues[1]
            valueOf(known.firstOrNull { it.name == name && it.`in` == "path" })
                ?: keptFor(path, match.range.first, name)
                ?: name.also { open += "{$name} in the path" }
        }
        val query = known.filter { it.`in` == "query" && it.required == true }.joinToString("&") { parameter ->
            val value = valueOf(parameter) ?: "FILL-IN".also { open += "${parameter.name} in the query" }
            "${encoded(parameter.name)}=$value"
        }
        val headers = known.filter { it.`in` == "header" && it.required == true }.associate { parameter ->
            parameter.name to (valueOf(parameter) ?: "FILL-IN".also { open += "the header ${parameter.name}" })
        }
        val media = operation.requestBody?.content.orEmpty().entries.firstOrNull { "json" in it.key }
        val body = media?.let { (_, type) -> exampleOf(type.example, type.schema) ?: "{}".also { open += "the body" } }
        val types = if (body == null) emptyMap() else mapOf("Content-Type" to media.key)
        rememberList(path, method, operation)
        val line = "$method $base$filled" + if (query.isEmpty()) "" else "?$query"
        val toDo = when {
            method != HttpMethod.GET && method != HttpMethod.HEAD -> "This one writes: take the comment away if it may."
            open.isNotEmpty() -> "Fill in ${open.joinToString(", ")}."
            else -> null
        }
        return DraftStep(line, headers + types, body, toDo = toDo)
    }

    /** `GET /products` with a list of objects that have an `id`: `/products/{id}` may take the first of them. */
    private fun rememberList(path: String, method: HttpMethod, operation: Operation) {
        if (method != HttpMethod.GET || '{' in path) return
        val answer = operation.responses.orEmpty()["200"]?.content.orEmpty().entries.firstOrNull { "json" in it.key }
        val schema = resolved(answer?.value?.schema) as? ArraySchema ?: return
        val fields = resolved(schema.items)?.properties.orEmpty().keys
        fields.firstOrNull { it == "id" }?.let { lists[path.trimEnd('/')] = it }
    }

    /** The name under which the list before this parameter keeps its first entry; null without such a list. */
    private fun keptFor(path: String, at: Int, name: String): String? {
        val list = path.take(at).trimEnd('/')
        val field = lists[list] ?: return null
        return if (name == field || name.endsWith("Id", ignoreCase = true)) "{${keptName(list)}}" else null
    }

    private fun keptName(list: String) = list.substringAfterLast('/').filter { it.isLetterOrDigit() } + "Id"

    private fun withKept(step: DraftStep): DraftStep {
        val path = step.line.substringAfter(' ').substringBefore('?').removePrefix(base).trimEnd('/')
        val field = lists[path]?.takeIf { step.line.startsWith("GET ") } ?: return step
        return DraftStep(step.line, step.headers, step.body, mapOf(keptName(path) to "json:0.$field"))
    }

    private fun resolved(parameter: Parameter): Parameter =
        parameter.`$ref`?.let { api.components?.parameters?.get(it.substringAfterLast('/')) } ?: parameter

    private fun resolved(schema: Schema<*>?): Schema<*>? {
        var found = schema
        repeat(MOST_REFERENCES) {
            val reference = found?.`$ref` ?: return found
            found = api.components?.schemas?.get(reference.substringAfterLast('/'))
        }
        return found
    }

    /** As it stands in a path or a query; null where nothing is known. */
    private fun valueOf(parameter: Parameter?): String? {
        val schema = resolved(parameter?.schema)
        val example = parameter?.example ?: parameter?.examples?.values?.firstOrNull()?.value ?: schema?.example
            ?: schema?.default ?: schema?.enum?.firstOrNull()
        return when {
            example != null -> encoded("$example")
            schema?.type == "integer" -> "{1..${schema.maximum?.toLong() ?: MOST_OF_A_RANGE}}"
            schema?.type == "boolean" -> "true"
            else -> null
        }
    }

    private fun exampleOf(example: Any?, schema: Schema<*>?): String? {
        val found = example ?: resolved(schema)?.example ?: return null
        return found as? String ?: Json.mapper().writeValueAsString(found)
    }

    private fun encoded(text: String) = URLEncoder.encode(text, Charsets.UTF_8).replace("+", "%20")

    private companion object {
        val METHODS = setOf("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
        val PARAMETER = Regex("""\{([^{}]+)}""")
        const val MOST_OF_A_RANGE = 100L
        const val MOST_REFERENCES = 20
    }
}
