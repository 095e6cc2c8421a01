package threadgauge.probe

/**
 * Arguments for a JVM to log each collection to [file] (unified logging, JEP 158). Quotes protect a colon in the path.
 * A recording by JFR would slow the start that is measured (decision 0070).
 */
fun collectorLogOption(file: String): String = "-Xlog:gc:file=\"$file\":uptime"

/** Heap in use at the start of the first collection, in bytes, from the lines of [log]. Null without a collection. */
fun firstCollectionBytes(log: String): Long? = COLLECTION.find(log)?.let { found ->
    val (number, unit) = found.destructured
    number.toLong() * UNITS.getValue(unit)
}

/**
 * A line such as `[0.412s] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 23M->4M(256M) 3.212ms`, in the format of
 * all collectors with pauses.
 */
private val COLLECTION = Regex("""GC\(\d+\) [^\n]*?\b(\d+)([KMG])(?:\(\d+%\))?->""")
private val UNITS = mapOf("K" to (1L shl 10), "M" to (1L shl 20), "G" to (1L shl 30))
