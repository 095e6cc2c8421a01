package threadgauge.experiment.yaml

/**
 * The keys of one map in a file. Unknown keys are reported when it is made; a required key that is missing is reported
 * when it is asked for, unless an unknown key was most likely meant to be it: one mistake, one message.
 */
internal class Fields(private val reading: Reading, private val keys: Keys, private val what: String, known: List<String>) {
    private val suggested = mutableSetOf<String>()

    init {
        for (key in keys.entries.keys) if (key.text !in known) unknown(key, known)
    }

    private fun unknown(key: Scalar, known: List<String>) {
        if (!reading.isFull) nearestSpelling(key.text, known)?.let(suggested::add)
        if (key.text in LATER) {
            reading.wrong(key, "${quoted(key.text)} is not known in this version of Threadgauge", "Leave it out for now.")
        } else {
            reading.wrong(key, "unknown key ${quoted(key.text)} in $what", reading.nearest(key.text, known))
        }
    }

    operator fun contains(key: String) = keys[key] != null

    /** True if [key] is there, or was most likely meant by a key that was reported as unknown. */
    fun isMeant(key: String) = key in this || key in suggested

    fun keyNode(key: String): Scalar = checkNotNull(keys.keyNode(key)) { "no key $key" }

    fun optional(key: String): Node? = keys[key]

    fun required(key: String, example: String): Node? {
        if (!isMeant(key)) reading.wrong(keys, "$what has no ${quoted(key)}", "Add a line such as $example")
        return keys[key]
    }

    private companion object {
        /** Keys of which the design speaks and this version does not yet. */
        val LATER = setOf("slo")
    }
}

/** The keys of [node], or null if it has none, which is reported with [example] as the remedy. */
internal fun Reading.fields(node: Node, what: String, known: List<String>, example: String): Fields? = when (node) {
    is Broken -> null
    is Keys -> Fields(this, node, what, known)
    else -> nothing(node, "$what needs keys with values, and this is ${node.kind}", "Write $example")
}
