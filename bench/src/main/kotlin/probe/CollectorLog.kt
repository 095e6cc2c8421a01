package threadgauge.probe

/**
 * Has a JVM write a line for each collection to [file] (unified logging, JEP 158). Quotes keep a colon in its path from
 * ending it.
 */
fun collectorLogOption(file: String): String = "-Xlog:gc:file=\"$file\":uptime"

/**
 * What was in the heap when the first collection began, in bytes, by the lines of [log]: what the program had taken
 * from memory until then. Null where there was no collection.
 */
fun firstCollectionBytes(log: String): Long? = COLLECTION.find(log)?.let { found ->
    val (number, unit) = found.destructured
    number.toLong() * UNITS.getValue(unit)
}

/**
 * `[0.412s] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 23M->4M(256M) 3.212ms`, and alike for all collectors that
 * pause.
 */
private val COLLECTION = Regex("""GC\(\d+\) [^\n]*?\b(\d+)([KMG])(?:\(\d+%\))?->""")
private val UNITS = mapOf("K" to (1L shl 10), "M" to (1L shl 20), "G" to (1L shl 30))
