package threadgauge.experiment.yaml



/** A piece of a YAML file and where it begins. */
internal sealed interface Node {
    val place: Place

    /** For messages: "a text", "a list". */
    val kind: String
}

/** A single value. [quoted] tells `"5"` from `5`; only unquoted text can be empty in the sense of "no value". */
internal data class Scalar(override val place: Place, val text: String, val quoted: Boolean) : Node {
    val isEmpty get() = !quoted && text in EMPTY
    override val kind get() = if (isEmpty) "nothing" else "a single value"

    private companion object {
        val EMPTY = setOf("", "~", "null", "Null", "NULL")
    }
}

internal data class Items(override val place: Place, val items: List<Node>) : Node {
    override val kind get() = "a list"
}

/** Keys with values, in the order of the file, each key once. */
internal data class Keys(override val place: Place, val entries: Map<Scalar, Node>) : Node {
    override val kind get() = "keys with values"

    private val byName = entries.entries.associate { (key, value) -> key.text to value }

    operator fun get(key: String): Node? = byName[key]
    operator fun contains(key: String) = key in byName
    fun keyNode(key: String): Scalar? = entries.keys.firstOrNull { it.text == key }
}

/** Something that could not be read and was reported already: whoever meets it keeps silent. */
internal data class Broken(override val place: Place) : Node {
    override val kind get() = "something unreadable"
}
