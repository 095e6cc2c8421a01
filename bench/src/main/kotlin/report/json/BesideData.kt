package threadgauge.report.json

import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject

/** This object with [texts] added; a missing text is `null`. */
internal fun JsonElement.with(vararg texts: Pair<String, String?>): JsonObject =
    JsonObject(jsonObject + texts.associate { (name, text) -> name to JsonPrimitive(text) })

/** This object with its member [name] replaced by the result of [change]. */
internal fun JsonElement.changing(name: String, change: (JsonElement) -> JsonElement): JsonObject =
    JsonObject(jsonObject + (name to change(jsonObject.getValue(name))))

/** This array with [change] applied to each element and the [data] from which it was serialized. */
internal fun <T> JsonElement.besides(data: List<T>, change: JsonElement.(T) -> JsonElement): JsonArray {
    check(jsonArray.size == data.size) { "an array of ${jsonArray.size} was not written from ${data.size}" }
    return JsonArray(jsonArray.zip(data) { element, from -> element.change(from) })
}
