package threadgauge.experiment.yaml

/**
 * The keys of one map in a file. Unknown keys are reported on construction. A missing required key is reported when it
 * is read, unless an unknown key was most likely meant: one mistake has one message.
 */
internal class Fields(
    private val context: ParseContext,
    private val keys: YamlMap,
    private val what: String,
    known: List<String>,
) {
    private val suggested = mutableSetOf<String>()

    init {
        for (key in keys.entries.keys) if (key.text !in known && !isRenamed(key, known)) unknown(key, known)
    }

    /** True if [key] is the old name of one of [known], which is reported as a hint: it is accepted for one version. */
    private fun isRenamed(key: YamlScalar, known: List<String>): Boolean {
        val new = RENAMED[key.text]?.takeIf { it in known } ?: return false
        if (keys[new] == null) {
            context.hint(
                key,
                "${quoted(key.text)} is now called ${quoted(new)}",
                "Rename it: the next version rejects the old name.",
            )
        } else {
            context.wrong(
                key, "${quoted(key.text)} is the old name of ${quoted(new)}, which is given too", "Remove one of them.",
            )
        }
        return true
    }

    private fun unknown(key: YamlScalar, known: List<String>) {
        val meant = SYNONYMS[key.text]?.takeIf { it in known }
        if (!context.isFull) (meant ?: nearestSpelling(key.text, known))?.let(suggested::add)
        val remedy = when {
            meant != null -> "Write $meant: \"p99<300ms, errors<0.1%\"."
            '<' in key.text && "goals" in known ->
                "Within braces, goals need quotes: goals: \"p99<300ms, errors<0.1%\"."
            else -> context.nearest(key.text, known)
        }
        context.wrong(key, "unknown key ${quoted(key.text)} in $what", remedy)
    }

    operator fun contains(key: String) = optional(key) != null

    /** True if [key] is present, or was most likely meant by a reported unknown key. */
    fun isMeant(key: String) = key in this || key in suggested

    fun keyNode(key: String): YamlScalar =
        checkNotNull(keys.keyNode(key) ?: oldName(key)?.let(keys::keyNode)) { "no key $key" }

    fun optional(key: String): YamlNode? = keys[key] ?: oldName(key)?.let { keys[it] }

    fun required(key: String, example: String): YamlNode? {
        if (!isMeant(key)) context.wrong(keys, "$what has no ${quoted(key)}", "Add a line such as $example")
        return optional(key)
    }

    private fun oldName(key: String): String? = RENAMED.entries.firstOrNull { it.value == key }?.key

    companion object {
        /** Words of other tools for one of our keys. */
        private val SYNONYMS = mapOf("slo" to "goals", "slos" to "goals", "thresholds" to "goals")

        /** Keys that were renamed in version 0.2.0: old to new. */
        val RENAMED = mapOf("repeats" to "trials", "most-under-way" to "max-under-way")
    }
}

/** The keys of [node], or null if it has none, which is reported with [example] as the remedy. */
internal fun ParseContext.fields(node: YamlNode, what: String, known: List<String>, example: String): Fields? =
    when (node) {
        is YamlError -> null
        is YamlMap -> Fields(this, node, what, known)
        else -> fail(node, "$what needs keys with values, and this is ${node.kind}", "Write $example")
    }
