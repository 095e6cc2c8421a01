package threadgauge.deploy

import com.google.gson.JsonElement
import io.kubernetes.client.openapi.JSON
import io.kubernetes.client.util.ModelMapper
import io.kubernetes.client.util.Yaml
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject
import java.lang.reflect.InvocationTargetException
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readText
import org.yaml.snakeyaml.LoaderOptions
import org.yaml.snakeyaml.constructor.SafeConstructor

/** One document of a file. [name] appears in messages. */
internal class Document(val name: String, private val text: String) {
    private val parsed: Map<*, *> = org.yaml.snakeyaml.Yaml(SafeConstructor(LoaderOptions())).load(text)

    val kind: String get() = "${parsed["kind"]}"

    /** The document as an object of its API class. Throws [IllegalArgumentException] if the API would reject it. */
    fun checked(): Any {
        val version = "${parsed["apiVersion"]}"
        val type = ModelMapper.getApiTypeClass(version.substringBefore('/', ""), version.substringAfter('/'), kind)
        // The mapper maps unknown kinds to a class that accepts anything.
        require(type != null && type != DynamicKubernetesObject::class.java) { "there is no $kind in $version" }
        val json = JSON.getGson().toJsonTree(parsed)
        try {
            type.getMethod("validateJsonElement", JsonElement::class.java).invoke(null, json)
        } catch (refused: InvocationTargetException) {
            throw refused.targetException as? IllegalArgumentException ?: refused
        }
        return Yaml.loadAs(text, type)
    }

    /** Why the API would reject the document; null if it would not. */
    fun mistake(): String? = runCatching { checked() }.exceptionOrNull()?.toString()
}

/** All documents of a folder, in the order in which `kubectl` applies them. */
internal class Manifests(val documents: List<Document>) {
    private val typed by lazy { documents.map { it.checked() } }

    inline fun <reified T : Any> all(): List<T> = objects().filterIsInstance<T>()

    /** The document of this type with that name. */
    inline fun <reified T : Any> only(name: String): T = all<T>().single { "name: $name\n" in Yaml.dump(it) }

    fun objects(): List<Any> = typed

    companion object {
        fun read(folder: Path): Manifests = Manifests(
            folder.listDirectoryEntries("*.yaml").sorted().flatMap { file ->
                val texts = file.readText().split(Regex("(?m)^---\\n"))
                texts.mapIndexed { index, text -> Document("${file.name}, document ${index + 1}", text) }
            },
        )
    }
}
