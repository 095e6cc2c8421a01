package threadgauge.model.request

/** A part of a template: text that stands for itself, or a placeholder. What a placeholder stands for: [Request]. */
sealed interface Piece {
    data class Text(val text: String) : Piece

    /** `{1..10000}`: 0 ≤ [first] ≤ [last]. */
    data class Range(val first: Long, val last: Long) : Piece

    /** `{seq}` */
    data object Sequence : Piece

    /** `{event}`: only in a sale, where the coordinator sets the open events before the load. */
    data object Event : Piece

    /** `{random:8}`: [length] from 1 to [MAX_RANDOM_LENGTH]. */
    data class Random(val length: Int) : Piece

    /** `{csv:name}`: [name] has neither braces nor line breaks. */
    data class Column(val name: String) : Piece

    /** `{name}`: a value that a step of a [Scenario] has kept. */
    data class Kept(val name: String) : Piece
}

/** Spelling of [Piece.Event]. */
const val EVENT = "{event}"

/** Maximum length of `{random:…}`. */
const val MAX_RANDOM_LENGTH = 1_000

/**
 * The pieces of [template] in order, and no two texts next to each other. Names in braces are placeholders only if they
 * are among [kept]. Never fails: what is not a placeholder is text. Linear in the length.
 */
fun pieces(template: String, kept: Set<String> = emptySet()): List<Piece> =
    if (kept.isEmpty()) plainPieces(template) else plainPieces(template).flatMap { piece ->
        if (piece is Piece.Text) withKept(piece.text, kept) else listOf(piece)
    }

private fun withKept(text: String, kept: Set<String>): List<Piece> {
    val pieces = mutableListOf<Piece>()
    var from = 0
    for (match in NAME.findAll(text)) {
        val name = match.groupValues[1]
        if (name !in kept) continue
        if (match.range.first > from) pieces += Piece.Text(text.substring(from, match.range.first))
        pieces += Piece.Kept(name)
        from = match.range.last + 1
    }
    if (from < text.length) pieces += Piece.Text(text.substring(from))
    return pieces
}

private fun plainPieces(template: String): List<Piece> {
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
 * What looks like a placeholder in [template] but is none, such as `{random:x}`, `{10..1}` or `{ seq }`: [pieces]
 * treats it as text, which is most likely a mistake. Ends at the next brace or line break.
 */
fun nearMisses(template: String): List<String> = pieces(template).filterIsInstance<Piece.Text>()
    .flatMap { text -> NEAR_MISS.findAll(text.text).map { it.value } }

/** Null where the form is valid but the numbers are not. */
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

private val NAME = Regex("""\{([A-Za-z][A-Za-z0-9_-]{0,59})}""")
private val PLACEHOLDER = Regex("""\{(?:([0-9]+)\.\.([0-9]+)|seq|event|random:([0-9]+)|csv:([^{}\r\n]+))}""")
private val NEAR_MISS = Regex("""\{ ?(?:-?[0-9]+ ?\.\.[^{}\r\n]*}?|(?i:seq|event|random|csv) ?(?:}|:[^{}\r\n]*}?))""")
