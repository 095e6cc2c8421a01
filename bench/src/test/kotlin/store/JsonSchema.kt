package threadgauge.store

import kotlinx.serialization.descriptors.PolymorphicKind
import kotlinx.serialization.descriptors.PrimitiveKind
import kotlinx.serialization.descriptors.SerialDescriptor
import kotlinx.serialization.descriptors.SerialKind
import kotlinx.serialization.descriptors.StructureKind
import kotlinx.serialization.descriptors.elementDescriptors
import kotlinx.serialization.descriptors.elementNames
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonObjectBuilder
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put

/**
 * JSON Schema (draft 2020-12) of what a serializer writes, so that the documented schema cannot drift from the code.
 */
internal class JsonSchema {
    private val definitions = sortedMapOf<String, JsonObject>()

    fun of(root: SerialDescriptor, title: String): JsonObject {
        val reference = type(root)
        return buildJsonObject {
            put("\$schema", "https://json-schema.org/draft/2020-12/schema")
            put("title", title)
            reference.forEach { (key, value) -> put(key, value) }
            put("\$defs", JsonObject(definitions))
        }
    }

    private fun type(descriptor: SerialDescriptor): JsonObject = when (val kind = descriptor.kind) {
        is PrimitiveKind -> simple(primitive(kind))
        StructureKind.LIST ->
            buildJsonObject { put("type", "array"); put("items", type(descriptor.getElementDescriptor(0))) }
        StructureKind.MAP -> buildJsonObject {
            put("type", "object")
            put("additionalProperties", type(descriptor.getElementDescriptor(1)))
        }
        SerialKind.ENUM ->
            reference(descriptor) { put("enum", JsonArray(descriptor.elementNames.map(::JsonPrimitive))) }
        StructureKind.CLASS, StructureKind.OBJECT -> reference(descriptor) { properties(descriptor, null) }
        PolymorphicKind.SEALED -> reference(descriptor) { put("oneOf", JsonArray(variants(descriptor))) }
        else -> error("no schema for $kind")
    }

    private fun variants(sealed: SerialDescriptor) = sealed.getElementDescriptor(1).elementDescriptors.map { variant ->
        buildJsonObject { properties(variant, variant.serialName) }
    }

    private fun JsonObjectBuilder.properties(descriptor: SerialDescriptor, discriminator: String?) {
        val names = descriptor.elementNames.toList()
        put("type", "object")
        put("properties", buildJsonObject {
            discriminator?.let { put("type", buildJsonObject { put("const", it) }) }
            names.forEachIndexed { index, name -> put(name, type(descriptor.getElementDescriptor(index))) }
        })
        // A value that is null is omitted; everything else is always written.
        val always = names.filterIndexed { index, _ -> !descriptor.getElementDescriptor(index).isNullable }
        val required = listOfNotNull(discriminator?.let { "type" }) + always
        put("required", JsonArray(required.map(::JsonPrimitive)))
        put("additionalProperties", false)
    }

    private fun reference(descriptor: SerialDescriptor, define: JsonObjectBuilder.() -> Unit): JsonObject {
        val name = descriptor.serialName.removeSuffix("?").substringAfterLast('.')
        if (name !in definitions) {
            definitions[name] = JsonObject(emptyMap())
            definitions[name] = buildJsonObject(define)
        }
        return buildJsonObject { put("\$ref", "#/\$defs/$name") }
    }

    private fun simple(type: String) = buildJsonObject { put("type", type) }

    private fun primitive(kind: PrimitiveKind) = when (kind) {
        PrimitiveKind.BOOLEAN -> "boolean"
        PrimitiveKind.STRING, PrimitiveKind.CHAR -> "string"
        PrimitiveKind.DOUBLE, PrimitiveKind.FLOAT -> "number"
        else -> "integer"
    }
}
