package threadgauge.experiment.request

import java.io.IOException
import java.io.StringReader
import java.io.UncheckedIOException
import org.apache.commons.csv.CSVFormat
import org.apache.commons.csv.CSVParser
import threadgauge.experiment.yaml.ParseContext
import threadgauge.experiment.yaml.YamlNode
import threadgauge.experiment.yaml.characterName
import threadgauge.experiment.yaml.exoticBlankIn
import threadgauge.experiment.yaml.fail
import threadgauge.experiment.yaml.quoted
import threadgauge.experiment.yaml.referencedFile
import threadgauge.experiment.yaml.scalar

/** A CSV file: the values of each column, all of the same length and never empty. */
internal class Table(val file: String, val columns: Map<String, List<String>>)

/** The table in the file that [node] names, in the format of RFC 4180. The first line has the names of the columns. */
internal fun ParseContext.table(node: YamlNode): Table? {
    val name = scalar(node, "csv", CSV_EXAMPLE) ?: return null
    if (name in neighbours.tables) return neighbours.tables[name]
    val table = referencedFile(node, "csv", CSV_EXAMPLE, LARGEST_BYTES)?.let { table(node, name, it) }
    neighbours.tables[name] = table
    return table
}

private fun ParseContext.table(node: YamlNode, name: String, text: String): Table? {
    otherSeparator(text)?.let { separator ->
        return fail(
            node, "${name(name)}, line 1: values are separated by $separator, not by commas",
            "Save it with commas (CSV, RFC 4180), and put quotes around a value with a comma in it.",
        )
    }
    val lines = ArrayList<Line>()
    try {
        // The parser counts line ends, so the last line needs one, too.
        CSVParser.parse(StringReader(text.removeSuffix("\n") + "\n"), FORMAT).use { parser ->
            parser.iterator().asSequence().take(MAX_ROWS + 2)
                .forEach { lines += Line(parser.currentLineNumber, it.toList()) }
        }
    } catch (_: IOException) {
        return notCsv(node, name, lines)
    } catch (_: UncheckedIOException) {
        return notCsv(node, name, lines)
    }
    val names = lines.firstOrNull()?.values ?: return fail(node, "${quoted(name)} is empty", HEAD_REMEDY)
    val rows = lines.drop(1)
    if (!columnsAreSound(node, name, names)) return null
    if (rows.isEmpty()) return fail(node, "${quoted(name)} has a line of names and no rows", "Add at least one row.")
    if (rows.size > MAX_ROWS) return fail(node, "${quoted(name)} has more than 100,000 rows", "Take a part of it.")
    val odd = rows.filter { it.values.size != names.size }
    odd.take(MAX_SHOWN).forEach { line ->
        val problem = "${name(name)}, line ${line.number}: ${line.values.size} values under ${names.size} names"
        wrong(
            node,
            problem,
            "Give each row as many values as the first line has names; put quotes around a comma in a value.",
        )
    }
    if (odd.isNotEmpty()) return null
    return Table(name(name), names.withIndex().associate { (index, column) -> column to rows.map { it.values[index] } })
}

private fun ParseContext.columnsAreSound(node: YamlNode, name: String, names: List<String>): Boolean {
    val twice = names.groupingBy { it }.eachCount().filterValues { it > 1 }.keys.firstOrNull { it.isNotBlank() }
    val exotic = names.firstNotNullOfOrNull(::exoticBlankIn)
    val unsaid = names.firstOrNull { column -> column.any { it in "{}\r\n" } }
    when {
        exotic != null -> wrong(
            node, "${name(name)}, line 1: the name of a column holds a ${characterName(exotic.value)}",
            "Take it out, or put a plain space in its place.",
        )
        names.any { it.isBlank() } -> wrong(node, "${name(name)}, line 1: a column has no name", HEAD_REMEDY)
        twice != null -> wrong(node, "${name(name)}, line 1: two columns are named ${quoted(twice)}", HEAD_REMEDY)
        unsaid != null -> wrong(
            node, "${name(name)}, line 1: ${quoted(unsaid)} cannot name a column", "Leave out braces and line breaks.",
        )
        else -> return true
    }
    return false
}

/**
 * What parts the names in the first line where that is not the comma, as in files that a spreadsheet writes where the
 * comma is for decimals. What stands in quotes parts nothing, and a name over several lines is in quotes.
 */
private fun otherSeparator(text: String): String? {
    val head = text.lineSequence().firstOrNull { it.isNotBlank() }.orEmpty().replace(IN_QUOTES, "")
    if ('"' in head) return null
    fun count(separator: Char) = head.count { it == separator }
    return mapOf(';' to "semicolons", '\t' to "tabs").entries.firstOrNull { count(it.key) > count(',') }?.value
}

private fun ParseContext.notCsv(node: YamlNode, name: String, before: List<Line>): Table? {
    val where = "${name(name)}, " + (before.lastOrNull()?.let { "after line ${it.number}" } ?: "line 1")
    return fail(
        node,
        "$where: this is not CSV (RFC 4180)",
        "Put quotes around a whole value, and write \"\" for a quote within it.",
    )
}

private fun name(name: String) = quoted(name).trim('"')

/** [number] is the number of its last line in the file, from 1. */
private class Line(val number: Long, val values: List<String>)

private val FORMAT = CSVFormat.RFC4180.builder().setIgnoreEmptyLines(true).get()
private val IN_QUOTES = Regex("\"[^\"]*\"")
private const val CSV_EXAMPLE = "the name of a CSV file in the folder of this one, such as seats.csv"
private const val HEAD_REMEDY = "The first line names the columns, such as row,seat"
private const val LARGEST_BYTES = 5_000_000
private const val MAX_ROWS = 100_000
private const val MAX_SHOWN = 3
