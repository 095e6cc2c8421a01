package threadgauge.experiment.yaml

/** A node of a YAML file with its position. */
internal sealed interface YamlNode {
    val place: TextPosition

    /** For messages: "a text", "a list". */
    val kind: String
}

/** A single value. [quoted] tells `"5"` from `5`; only unquoted text can be empty in the sense of "no value". */
internal data class YamlScalar(override val place: TextPosition, val text: String, val quoted: Boolean) : YamlNode {
    val isEmpty get() = !quoted && text in EMPTY
    override val kind get() = if (isEmpty) "nothing" else "a single value"

    private companion object {
        val EMPTY = setOf("", "~", "null", "Null", "NULL")
    }
}

internal data class YamlList(override val place: TextPosition, val items: List<YamlNode>) : YamlNode {
    override val kind get() = "a list"
}

/** Keys with values, in the order of the file, each key once. */
internal data class YamlMap(override val place: TextPosition, val entries: Map<YamlScalar, YamlNode>) : YamlNode {
    override val kind get() = "keys with values"

    private val byName = entries.entries.associate { (key, value) -> key.text to value }

    operator fun get(key: String): YamlNode? = byName[key]
    operator fun contains(key: String) = key in byName
    fun keyNode(key: String): YamlScalar? = entries.keys.firstOrNull { it.text == key }
}

/** A node that could not be read, which was reported already. Readers ignore it. */
internal data class YamlError(override val place: TextPosition) : YamlNode {
    override val kind get() = "something unreadable"
}
