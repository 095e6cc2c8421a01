package threadgauge.draft.har

import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import threadgauge.draft.DraftStep

/**
 * The steps of a recording. A value that an answer brought, and that a later request sends, is kept from that answer: a
 * cart's number that is in the next path, or a token that is in the next header.
 */
internal class HarSteps(private val recorded: List<Pair<Place, HarFile.Entry>>) {
    /** A value that an answer brought: where it is, as a `keep` of a step. */
    private class Found(val step: Int, val where: String, val value: String, val name: String)

    private val kept = LinkedHashMap<Found, String>()

    fun steps(): List<DraftStep> {
        val brought = ArrayList<Found>()
        val sent = HashSet<String>()
        val drafts = recorded.mapIndexed { index, (place, entry) ->
            // What users send before any answer has it, they know themselves.
            val usable = brought.filter { it.value !in sent }.asReversed().sortedByDescending { it in kept }
                .distinctBy { it.value }
            val own = Replacing(usable)
            val path = own.inPath(place.path)
            val headers = headersOf(entry.request).mapValues { (_, value) -> own.inHeader(value) }
            val body = entry.request.postData?.text?.let(own::inBody)
            val words = wordsOf(place.path) + wordsOf(entry.request.postData?.text.orEmpty())
            sent += words - usable.map { it.value }.toSet()
            brought += found(index, entry.response)
            DraftStep(
                line = "${entry.request.method} $path",
                headers = headers,
                body = body,
                status = entry.response.status.takeIf { it >= 300 },
                thinkMillis = recorded.getOrNull(index + 1)?.let { pauseMillis(entry, it.second) } ?: 0,
            )
        }
        return drafts.mapIndexed { index, step ->
            val its = kept.filterKeys { it.step == index }.entries.associate { (found, name) -> name to found.where }
            DraftStep(step.line, step.headers, step.body, its, step.status, step.thinkMillis)
        }
    }

    /** Content type, and headers that the page itself has set. What a browser adds says nothing about the user. */
    private fun headersOf(request: HarFile.Request): Map<String, String> {
        val type = request.postData?.let { request.headers.value("Content-Type") ?: it.mimeType }.orEmpty()
        val others = request.headers.mapNotNull { header ->
            val lower = header.name.lowercase()
            when {
                lower == "accept" && "json" in header.value -> "Accept" to header.value
                lower == "authorization" -> "Authorization" to header.value
                lower.startsWith("x-") && lower !in FROM_BROWSERS -> header.name to header.value
                else -> null
            }
        }
        return (if (type.isEmpty()) emptyMap() else mapOf("Content-Type" to type)) + others
    }

    private fun found(step: Int, response: HarFile.Response): List<Found> {
        val headers = response.headers.filter { it.name.lowercase().startsWith("x-") && it.value.length >= SHORTEST }
            .map { Found(step, "header:${it.name}", it.value, it.name.lowercase().removePrefix("x-")) }
        val text = response.content.plain ?: return headers
        val isHtml = "html" in response.content.mimeType
        val fields = if (isHtml) {
            HIDDEN.findAll(text).take(MOST_FIELDS).map { match ->
                val (name, value) = match.destructured
                Found(step, "pattern:name=\"$name\" value=\"([^\"]+)\"", value, name)
            }.toList()
        } else {
            jsonOf(text)?.let { leaves(it, "") }.orEmpty().take(MOST_FIELDS)
                .map { (path, value) -> Found(step, "json:$path", value, nameFor(path)) }
        }
        return (headers + fields).filter { isTelling(it.value) }
    }

    private fun jsonOf(text: String): JsonElement? = try {
        Json.parseToJsonElement(text)
    } catch (_: SerializationException) {
        null
    }

    private fun leaves(element: JsonElement, path: String): List<Pair<String, String>> = when (element) {
        is JsonObject -> element.flatMap { (key, value) ->
            if ('.' in key) emptyList() else leaves(value, "$path.$key".removePrefix("."))
        }
        is JsonArray -> element.flatMapIndexed { index, value -> leaves(value, "$path.$index".removePrefix(".")) }
        is JsonNull -> emptyList()
        is JsonPrimitive -> if (path.isEmpty()) emptyList() else listOf(path to element.content)
    }

    /** `cart.id` is `cartId`; `id` alone is `id`. */
    private fun nameFor(path: String): String {
        val names = path.split('.').filter { name -> name.any { it.isLetter() } }
        val last = names.lastOrNull() ?: "value"
        if (last.length > 2 || names.size < 2) return last
        return names[names.size - 2] + last.replaceFirstChar { it.uppercase() }
    }

    /** Replaces values of [usable] where they stand as a whole, and notes that they are to be kept. */
    private inner class Replacing(private val usable: List<Found>) {
        fun inPath(path: String): String = replaced(path, PATH_WORD)

        fun inHeader(value: String): String {
            val replaced = replaced(value, HEADER_WORD)
            val isSecret = replaced == value && SECRET.containsMatchIn(value)
            return if (isSecret) "${value.substringBefore(' ')} $FILL_IN" else replaced
        }

        fun inBody(body: String): String = replaced(body, BODY_WORD)

        private fun replaced(text: String, word: Regex) = word.replace(text) { match ->
            val found = usable.firstOrNull { it.value == match.value }
            if (found == null) match.value else "{${kept.getOrPut(found) { newName(found.name) }}}"
        }
    }

    private fun newName(wish: String): String {
        val letters = wish.replace(NOT_IN_NAME, "_").trimStart { !it.isLetter() }
        val plain = letters.take(MAX_NAME_LENGTH).ifEmpty { "value" }
        val taken = kept.values + RESERVED
        return generateSequence(1) { it + 1 }.map { if (it == 1) plain else "$plain$it" }.first { it !in taken }
    }

    private fun wordsOf(text: String): Set<String> = BODY_WORD.findAll(text).mapTo(HashSet()) { it.value }

    private companion object {
        /** Shorter ones are equal by chance. */
        const val SHORTEST = 3
        const val MOST_FIELDS = 2_000
        const val MAX_NAME_LENGTH = 30
        val RESERVED = setOf("seq", "event", "random", "csv")
        val NOT_IN_NAME = Regex("[^A-Za-z0-9_]")
        val FROM_BROWSERS = setOf("x-requested-with", "x-client-data")
        val PATH_WORD = Regex("[^/?&=]+")
        val HEADER_WORD = Regex("[^\\s,;\"]+")
        val BODY_WORD = Regex("[A-Za-z0-9._~+/=-]+")
        val SECRET = Regex("^(?:Bearer|Basic|Token|Digest) ", RegexOption.IGNORE_CASE)

        /** A hidden field of a form, whose name needs no escape in a pattern. */
        val HIDDEN = Regex("""name="([A-Za-z0-9_-]{1,60})" value="([^"]{8,200})"""")

        fun isTelling(value: String) = value.length in SHORTEST..500 && value !in COMMON

        val COMMON = setOf("true", "false", "null", "none", "200", "201", "100", "1000")
    }
}
