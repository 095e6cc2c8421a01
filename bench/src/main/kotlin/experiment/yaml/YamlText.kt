package threadgauge.experiment.yaml

import it.krzeminski.snakeyaml.engine.kmp.api.LoadSettings
import it.krzeminski.snakeyaml.engine.kmp.api.lowlevel.Parse
import it.krzeminski.snakeyaml.engine.kmp.events.AliasEvent
import it.krzeminski.snakeyaml.engine.kmp.events.CollectionEndEvent
import it.krzeminski.snakeyaml.engine.kmp.events.CollectionStartEvent
import it.krzeminski.snakeyaml.engine.kmp.events.DocumentStartEvent
import it.krzeminski.snakeyaml.engine.kmp.events.Event
import it.krzeminski.snakeyaml.engine.kmp.events.MappingStartEvent
import it.krzeminski.snakeyaml.engine.kmp.events.NodeEvent
import it.krzeminski.snakeyaml.engine.kmp.events.ScalarEvent
import it.krzeminski.snakeyaml.engine.kmp.events.StreamEndEvent
import it.krzeminski.snakeyaml.engine.kmp.exceptions.Mark
import it.krzeminski.snakeyaml.engine.kmp.exceptions.MarkedYamlEngineException
import it.krzeminski.snakeyaml.engine.kmp.exceptions.YamlEngineException

/**
 * The text as a tree; null for an empty file, and for invalid YAML, which is reported.
 *
 * Works on the parser's events rather than on a library's finished tree, because that tree rejects a file at its first
 * repeated key and follows anchors, which can expand a small file into a huge tree. Here every repeated key is
 * reported, anchors are rejected, and the depth is limited, so the time is linear in the length.
 */
internal fun ParseContext.yaml(): YamlNode? = try {
    YamlTree(this, Parse(LoadSettings()).parse(text).iterator()).document()
} catch (syntax: MarkedYamlEngineException) {
    val place = (syntax.problemMark ?: syntax.contextMark)?.place() ?: TextPosition(1, 1)
    val blank = exoticBlankAmong(lines.take(place.line))
    if (blank == null) {
        wrong(place, "this is not YAML: ${syntaxWords(syntax)}", syntaxRemedy(syntax.problem))
    } else {
        wrong(blank.first, exoticBlankWords(blank.second), EXOTIC_REMEDY)
    }
    null
} catch (other: YamlEngineException) {
    wrong(TextPosition(1, 1), "this is not YAML: ${other.message?.lineSequence()?.first()}", SYNTAX_REMEDY)
    null
} catch (_: TooDeep) {
    null
}

private class YamlTree(private val context: ParseContext, private val events: Iterator<Event>) {
    fun document(): YamlNode? {
        while (events.hasNext()) {
            val event = events.next()
            if (event is StreamEndEvent) return null
            if (event is DocumentStartEvent) return node(events.next(), 0).also { refuseSecondDocument() }
        }
        return null
    }

    private fun refuseSecondDocument() {
        val second = events.asSequence().firstOrNull { it is DocumentStartEvent } ?: return
        context.wrong(second.place(), "a second document begins here", "Put each experiment into a file of its own.")
    }

    /** Recursive, at most [DEEPEST] levels. */
    private fun node(event: Event, depth: Int): YamlNode {
        val place = event.place()
        if (depth > DEEPEST) {
            context.wrong(
                place, "this is nested more than $DEEPEST levels deep", "No experiment needs that; flatten it.",
            )
            throw TooDeep()
        }
        val node = when (event) {
            is ScalarEvent -> scalar(event, place)
            is MappingStartEvent -> keys(place, depth)
            is CollectionStartEvent -> items(place, depth)
            else -> YamlError(place)
        }
        return if (isPlainYaml(event, place)) node else YamlError(place)
    }

    /** Without exotic blanks at its ends, which are reported. */
    private fun scalar(event: ScalarEvent, place: TextPosition): YamlScalar {
        val scalar = YamlScalar(place, event.value, !event.plain)
        val text = withoutExoticBlanks(scalar.text)
        if (scalar.quoted || text == scalar.text) return scalar
        val blank = exoticBlankIn(scalar.text)!!
        val end = event.endMark?.place()
        val atEnd = exoticBlanksAtEnd(scalar.text)
        if (blank.index == 0 || end == null) {
            context.wrong(place, exoticBlankWords(blank.value), EXOTIC_REMEDY)
        } else {
            val character = scalar.text.codePoints().toArray().let { it[it.size - atEnd] }
            context.wrong(TextPosition(end.line, end.column - atEnd), exoticBlankWords(character), EXOTIC_REMEDY)
        }
        return YamlScalar(place, text, quoted = false)
    }

    private fun beginsWithExoticBlank(event: Event) =
        event is ScalarEvent && event.plain && exoticBlankIn(event.value)?.index == 0

    private fun isPlainYaml(event: Event, place: TextPosition): Boolean {
        val tag = when (event) {
            is ScalarEvent -> event.tag
            is CollectionStartEvent -> event.tag
            else -> null
        }
        if (event is AliasEvent || (event as? NodeEvent)?.anchor != null) {
            context.wrong(
                place, "anchors (&) and aliases (*) are not used here", "Write the value out, or quote the text.",
            )
        } else if (tag != null) {
            context.wrong(place, "tags (!) are not used here", "Leave the tag out, or quote the text.")
        } else {
            return true
        }
        return false
    }

    private fun items(place: TextPosition, depth: Int): YamlList {
        val items = mutableListOf<YamlNode>()
        while (true) {
            val event = events.next()
            if (event is CollectionEndEvent) return YamlList(place, items)
            items += node(event, depth + 1)
        }
    }

    private fun keys(place: TextPosition, depth: Int): YamlMap {
        val entries = LinkedHashMap<YamlScalar, YamlNode>()
        val linesOfKeys = HashMap<String, Int>()
        while (true) {
            val event = events.next()
            if (event is CollectionEndEvent) return YamlMap(place, entries)
            val key = node(event, depth + 1)
            val value = node(events.next(), depth + 1)
            // Where it was meant to be indented is not known, so nothing is said of it but this.
            if (beginsWithExoticBlank(event)) continue
            if (key !is YamlScalar) {
                if (key !is YamlError) {
                    context.wrong(key, "a key must be a single word, not ${key.kind}", "Write key: value.")
                }
                continue
            }
            val before = linesOfKeys.putIfAbsent(key.text, key.place.line)
            if (before == null) entries[key] = value
            else context.wrong(
                key, "${quoted(key.text)} is here again; the first is on line $before", "Keep one of them.",
            )
        }
    }
}

private class TooDeep : RuntimeException(null, null, false, false)

private fun Event.place(): TextPosition = startMark?.place() ?: TextPosition(1, 1)

private fun Mark.place() = TextPosition(line + 1, column + 1)

private fun syntaxWords(syntax: MarkedYamlEngineException): String {
    val problem = syntax.problem.lineSequence().first().substringBefore(". (Do not").trimEnd('.')
    return if (syntax.context.isNullOrBlank()) problem else "$problem (${syntax.context})"
}

private fun syntaxRemedy(problem: String) =
    if ("TAB" in problem) "Indent with spaces; YAML does not allow tabs there." else SYNTAX_REMEDY

private fun exoticBlankWords(character: Int) =
    "a ${characterName(character)} stands here, which YAML takes for a letter"

private const val EXOTIC_REMEDY = "Take it out, or put a plain space in its place; to keep it, quote the text."
private const val SYNTAX_REMEDY =
    "Put a space after each colon, indent with spaces, close every bracket and quote, and quote texts that hold \": " +
        "\" or braces."
private const val DEEPEST = 8
