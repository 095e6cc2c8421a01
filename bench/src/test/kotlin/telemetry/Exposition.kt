package threadgauge.telemetry

/**
 * A page in the text format of Prometheus, version 0.0.4, read strictly: whatever the format does not allow, or a
 * scrape would not understand, throws `IllegalArgumentException`.
 */
internal class Exposition private constructor(val families: Map<String, Family>) {
    class Family(val name: String, val type: String, val help: String?) {
        val samples = ArrayList<Sample>()
    }

    data class Sample(val name: String, val labels: Map<String, String>, val value: Double)

    /** Samples of that name with these labels. */
    fun samples(name: String, vararg labels: Pair<String, String>): List<Sample> =
        families.values.flatMap { it.samples }.filter { it.name == name }
            .filter { sample -> labels.all { (label, value) -> sample.labels[label] == value } }

    companion object {
        fun of(text: String): Exposition {
            require(text.endsWith("\n")) { "the last line has no end" }
            val families = LinkedHashMap<String, Family>()
            val helps = HashMap<String, String>()
            for (line in text.removeSuffix("\n").split('\n')) {
                val help = HELP.matchEntire(line)
                val type = TYPE.matchEntire(line)
                when {
                    help != null -> {
                        val (name, words) = help.destructured
                        require(helps.put(name, words) == null) { "two HELP lines of $name" }
                    }
                    type != null -> {
                        val (name, kind) = type.destructured
                        require(name !in families) { "two groups of $name" }
                        families[name] = Family(name, kind, helps[name])
                    }
                    else -> {
                        val sample = sample(line)
                        // A sample belongs to the group above it, so no two groups are mixed.
                        val family = requireNotNull(families.values.lastOrNull()) { "no TYPE above $line" }
                        require(sample.name in namesOf(family)) { "${sample.name} lies in the group of ${family.name}" }
                        family.samples += sample
                    }
                }
            }
            families.values.forEach(::verify)
            return Exposition(families)
        }

        private fun namesOf(family: Family) =
            if (family.type != "histogram") setOf(family.name)
            else setOf("bucket", "sum", "count").map { "${family.name}_$it" }

        private fun verify(family: Family) {
            require(family.samples.isNotEmpty()) { "${family.name} has no sample" }
            require(family.samples.distinctBy { it.name to it.labels }.size == family.samples.size) {
                "${family.name} has two samples with the same labels"
            }
            require(family.type == "histogram" || RESERVED.none { family.name.endsWith(it) }) {
                "${family.name} ends like a part of a histogram"
            }
            if (family.type == "counter") {
                require(family.name.endsWith("_total")) { "the counter ${family.name}" }
                require(family.samples.all { it.value >= 0 }) { "${family.name} is negative" }
            }
            if (family.type == "histogram") histograms(family).forEach { (labels, parts) -> verify(labels, parts) }
        }

        private fun histograms(family: Family) = family.samples.groupBy { it.labels - "le" }

        private fun verify(labels: Map<String, String>, parts: List<Sample>) {
            val buckets = parts.filter { it.name.endsWith("_bucket") }
            val bounds = buckets.map { number(it.labels.getValue("le")) }
            require(bounds == bounds.sorted() && bounds.last() == Double.POSITIVE_INFINITY) { "bounds of $labels" }
            require(buckets.zipWithNext().all { (a, b) -> a.value <= b.value }) { "buckets of $labels fall" }
            val count = parts.single { it.name.endsWith("_count") }.value
            require(buckets.last().value == count) { "the last bucket of $labels is not the count" }
            require(parts.single { it.name.endsWith("_sum") }.value >= 0) { "the sum of $labels" }
        }

        private fun sample(line: String): Sample {
            val (name, labels, value) = requireNotNull(SAMPLE.matchEntire(line)) { "no sample: $line" }.destructured
            val pairs = LABEL.findAll(labels).map { it.groupValues[1] to unescaped(it.groupValues[2]) }.toList()
            require(pairs.joinToString(",") { (label, text) -> "$label=\"${escaped(text)}\"" } == labels) {
                "labels are not as they should be: $labels"
            }
            require(pairs.distinctBy { it.first }.size == pairs.size) { "a label twice: $labels" }
            require(pairs.none { it.first.startsWith("__") }) { "a reserved label: $labels" }
            return Sample(name, pairs.toMap(), number(value))
        }

        private fun number(text: String): Double = if (text == "+Inf") Double.POSITIVE_INFINITY else text.toDouble()

        private fun unescaped(text: String) = text.replace(Regex("""\\(.)""")) {
            if (it.groupValues[1] == "n") "\n" else it.groupValues[1]
        }

        private fun escaped(text: String) =
            text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n")

        private val RESERVED = listOf("_bucket", "_count", "_sum")
        private const val NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*"
        private val HELP = Regex("# HELP ($NAME) (.+)")
        private val TYPE = Regex("# TYPE ($NAME) (counter|gauge|histogram)")
        private val SAMPLE = Regex("""($NAME)(?:\{(.*)})? (\+Inf|-?[0-9.]+(?:[eE][+-]?[0-9]+)?)""")
        private val LABEL = Regex("""([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"""")
    }
}
