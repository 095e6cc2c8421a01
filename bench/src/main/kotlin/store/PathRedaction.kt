package threadgauge.store

import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

/**
 * Returns the record [tree] without what identifies its owner's machine: in commands and folders, `/opt/bench/ktor.jar`
 * becomes `…/ktor.jar`, and the values of the user's environment variables become `…`. Everything else stays,
 * including URLs and request paths.
 */
internal fun redactPaths(tree: JsonElement): JsonElement = shortened(tree, isPlace = false)

private fun shortened(element: JsonElement, isPlace: Boolean): JsonElement = when (element) {
    is JsonObject -> JsonObject(element.mapValues { (key, value) ->
        if (key in VARIABLES && isOfTexts(value)) JsonObject((value as JsonObject).mapValues { JsonPrimitive("…") })
        else shortened(value, key in PLACES)
    })
    is JsonArray -> JsonArray(element.map { shortened(it, isPlace) })
    is JsonPrimitive ->
        if (isPlace && element.isString) JsonPrimitive(withoutFolders(element.content)) else element
}

private fun withoutFolders(text: String) = FOLDERS.replace(VARIABLE_OPTION.replace(text, "$1…"), "…/")

/** Tells variables from the description of the machine, which is called `environment` as well but holds numbers. */
private fun isOfTexts(value: JsonElement) =
    value is JsonObject && value.values.all { it is JsonPrimitive && it.isString }

/** Keys of a record whose values hold local paths. */
private val PLACES = setOf(
    "command", "commandAtAddress", "training", "folder", "agentCommand", "file", "archive", "log", "record", "on",
    "options",
)

/** A variable and its value among the options of an engine for containers. */
private val VARIABLE_OPTION = Regex("^((?:--env=|-e ?)[^=]+=).*", RegexOption.DOT_MATCHES_ALL)

/** Keys of a record whose values are the user's environment variables, which may hold passwords. */
private val VARIABLES = setOf("environment", "passes")

/**
 * The folders of an absolute path that ends in a file or folder name. Matches neither the path of a URL, which follows
 * a host, nor a single name such as `/articles`.
 */
private val FOLDERS = Regex("""(?<![\w/.}\]…-])(?:[A-Za-z]:(?=[\\/]))?(?:[\\/][^\\/\s:;=,"']+)+[\\/](?=[^\\/\s])""")
