package threadgauge.store

import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

/**
 * The record [tree] for eyes other than its owner's: in commands and folders, `/opt/bench/ktor.jar` becomes
 * `…/ktor.jar`, and values of the user's own variables of the environment become `…`. What a record measured and asked
 * for, addresses and paths of requests among it, stays as it is.
 */
internal fun redactPaths(tree: JsonElement): JsonElement = shortened(tree, isPlace = false)

private fun shortened(element: JsonElement, isPlace: Boolean): JsonElement = when (element) {
    is JsonObject -> JsonObject(element.mapValues { (key, value) ->
        if (key in VARIABLES && isOfTexts(value)) JsonObject((value as JsonObject).mapValues { JsonPrimitive("…") })
        else shortened(value, key in PLACES)
    })
    is JsonArray -> JsonArray(element.map { shortened(it, isPlace) })
    is JsonPrimitive ->
        if (isPlace && element.isString) JsonPrimitive(FOLDERS.replace(element.content, "…/")) else element
}

/** The record of a machine is an `environment`, too, but has numbers. */
private fun isOfTexts(value: JsonElement) =
    value is JsonObject && value.values.all { it is JsonPrimitive && it.isString }

/** Keys of records under which the machine's own files are named. */
private val PLACES =
    setOf("command", "commandAtAddress", "training", "folder", "agentCommand", "file", "archive", "log", "record")

/** Keys of records under which the user's own variables of the environment stand, which may be passwords. */
private val VARIABLES = setOf("environment", "passes")

/**
 * Absolute, with a name behind: not the path of a URL, which follows a host, and not a name alone, such as `/articles`.
 */
private val FOLDERS = Regex("""(?<![\w/.}\]…-])(?:[A-Za-z]:(?=[\\/]))?(?:[\\/][^\\/\s:;=,"']+)+[\\/](?=[^\\/\s])""")
