package threadgauge.model

/** A part of a template: text that stands for itself, or a placeholder. What a placeholder stands for: [Request]. */
sealed interface Piece {
    data class Text(val text: String) : Piece

    /** `{1..10000}`: 0 ≤ [first] ≤ [last]. */
    data class Range(val first: Long, val last: Long) : Piece

    /** `{seq}` */
    data object Sequence : Piece

    /** `{event}`: in a sale alone, where the coordinator says which events are open before anything is sent. */
    data object Event : Piece

    /** `{random:8}`: [length] from 1 to [MAX_RANDOM_LENGTH]. */
    data class Random(val length: Int) : Piece

    /** `{csv:name}`: [name] has neither braces nor line breaks. */
    data class Column(val name: String) : Piece
}

/** How [Piece.Event] is written. */
const val EVENT = "{event}"

/** Most letters and digits that `{random:…}` may stand for. */
const val MAX_RANDOM_LENGTH = 1_000

/**
 * The pieces of [template] in order, and no two texts next to each other. Never fails: what is no placeholder is text.
 * Takes time in proportion to the length.
 */
fun pieces(template: String): List<Piece> {
    val pieces = mutableListOf<Piece>()
    var textFrom = 0
    for (match in PLACEHOLDER.findAll(template)) {
        val piece = placeholder(match) ?: continue
        if (match.range.first > textFrom) pieces += Piece.Text(template.substring(textFrom, match.range.first))
        pieces += piece
        textFrom = match.range.last + 1
    }
    if (textFrom < template.length) pieces += Piece.Text(template.substring(textFrom))
    return pieces
}

/**
 * What in [template] begins as a placeholder does and yet is none, such as `{random:x}`, `{10..1}` or `{ seq }`: text
 * for [pieces], and most likely not what was meant. Never reaches beyond the next brace or line break.
 */
fun nearMisses(template: String): List<String> = pieces(template).filterIsInstance<Piece.Text>()
    .flatMap { text -> NEAR_MISS.findAll(text.text).map { it.value } }

/** Null where the form is right and the numbers are not. */
private fun placeholder(match: MatchResult): Piece? {
    val (first, last, length, column) = match.destructured
    return when {
        column.isNotEmpty() -> Piece.Column(column)
        length.isNotEmpty() -> length.toIntOrNull()?.takeIf { it in 1..MAX_RANDOM_LENGTH }?.let(Piece::Random)
        match.value == EVENT -> Piece.Event
        first.isEmpty() -> Piece.Sequence
        else -> {
            val from = first.toLongOrNull() ?: return null
            val to = last.toLongOrNull() ?: return null
            if (from <= to) Piece.Range(from, to) else null
        }
    }
}

private val PLACEHOLDER = Regex("""\{(?:([0-9]+)\.\.([0-9]+)|seq|event|random:([0-9]+)|csv:([^{}\r\n]+))}""")
private val NEAR_MISS = Regex("""\{ ?(?:-?[0-9]+ ?\.\.[^{}\r\n]*}?|(?i:seq|event|random|csv) ?(?:}|:[^{}\r\n]*}?))""")
