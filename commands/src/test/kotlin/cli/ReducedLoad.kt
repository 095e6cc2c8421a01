package threadgauge.cli

/** [line] of an experiment file with values that make a load large or long reduced. */
internal fun reducedLoad(line: String): String =
    REDUCTIONS.fold(line) { text, (pattern, much) -> pattern.replace(text, much) }

/** Values that make a load large or long, and their replacements. */
private val REDUCTIONS = listOf(
    Regex("\\bfor: [0-9.]+m?s") to "for: 300ms",
    Regex("\\bramp-in: [0-9.]+m?s") to "ramp-in: 100ms",
    Regex("\\bthink: [0-9.a-z]+") to "think: 10ms",
    Regex("\\busers: [0-9]{2,}") to "users: 10",
    Regex("\\bloops: [0-9]+") to "loops: 2",
    Regex("\\bburst: [0-9]+") to "burst: 10",
    Regex("\\b(rate|poisson): [0-9]+/s") to "$1: 50/s",
    Regex("\\bramp: [0-9]+/s\\.\\.[0-9]+/s") to "ramp: 10/s..50/s",
    Regex("\\bms=[0-9]000\\b") to "ms=50",
    // Some variants of the sale write a row per seat.
    Regex("\\bseats: [0-9]{5,}") to "seats: 5000",
    Regex("(/fanout/[a-z-]+)/1000\\b") to "$1/20",
)

/**
 * The situations in the [text] of an experiment file, each with a name of its own in all files, and with little load.
 */
internal fun situationsOf(text: String, experiment: String): List<String> {
    val list = text.substringAfter("\nsituations:\n", "").lines().takeWhile { it.isBlank() || it.startsWith(" ") }
    val starts = list.indices.filter { list[it].startsWith("  - name:") }
    return starts.mapIndexed { index, start ->
        val lines = list.subList(start, starts.getOrElse(index + 1) { list.size })
        lines.filterNot { it.isBlank() || it.trim().startsWith("#") }
            .joinToString("\n", postfix = "\n") { reducedLoad(it) }
            .replaceFirst("- name: ", "- name: $experiment-")
    }
}
