package threadgauge.load.http

import threadgauge.load.http.SplitMix.GOLDEN
import threadgauge.load.http.SplitMix.PLACE
import threadgauge.load.http.SplitMix.below
import threadgauge.load.http.SplitMix.mix
import threadgauge.model.request.EVENT
import threadgauge.model.request.Piece
import threadgauge.model.request.Request
import threadgauge.model.request.pieces

/**
 * A template of [request], prepared to be written for any request number. The value of a placeholder depends only on
 * [seed], its position and the number, so the slices of a load together send what the whole load would send. Templates
 * of one request differ in [part], which makes their draws independent; only `{event}` is the same in all of them.
 *
 * Not thread-safe.
 */
internal class Rendering(
    template: String,
    request: Request,
    seed: Long,
    part: Int = 0,
    keep: Question.Keep? = null,
    /** Where kept values stand. */
    place: KeptPlace = KeptPlace.BODY,
) {
    private sealed interface Part
    private class Text(val bytes: ByteArray) : Part
    private class Range(val first: Long, val size: Long, val salt: Long) : Part
    private data object Sequence : Part
    private class Event(val draw: EventDraw) : Part
    private class Random(val length: Int, val salt: Long) : Part
    private class Column(val rows: List<ByteArray>) : Part
    private class Kept(val index: Int, val place: KeptPlace) : Part

    private val seedOfPart = seed + part
    private var lineIsOver = false
    private val parts = pieces(template, keep?.names.orEmpty()).mapIndexed { index, piece ->
        when (piece) {
            is Piece.Text -> Text(piece.text.toByteArray()).also { if (END_OF_LINE in piece.text) lineIsOver = true }
            is Piece.Range -> Range(piece.first, piece.last - piece.first + 1, saltOf(index))
            is Piece.Sequence -> Sequence
            // If a single event is on sale, the coordinator has already filled in its id.
            is Piece.Event -> request.events?.let { Event(EventDraw(it, seed)) } ?: Text(EVENT.toByteArray())
            is Piece.Random -> Random(piece.length, saltOf(index))
            is Piece.Column -> Column(request.csv.getValue(piece.name).map { it.toByteArray() })
            is Piece.Kept -> Kept(
                keep!!.indexOf(piece.name),
                if (place == KeptPlace.HEAD) (if (lineIsOver) KeptPlace.HEADER else KeptPlace.PATH) else place,
            )
        }
    }

    /** True if every request has the same bytes. */
    val isFixed = parts.all { it is Text }

    /** Writes the template for request [number] to [out], with the values that [course] has kept. */
    fun render(number: Long, out: ByteSink, course: Course? = null) {
        for (index in parts.indices) {
            when (val part = parts[index]) {
                is Text -> out.put(part.bytes)
                is Sequence -> out.put(number)
                is Event -> out.put(part.draw.of(number))
                is Kept -> course?.values?.get(part.index)?.let { put(it, part.place, out) }
                is Column -> out.put(part.rows[(number % part.rows.size).toInt()])
                is Range -> out.put(part.first + below(part.size, mix(seedOfPart + part.salt + number * GOLDEN)))
                is Random -> for (at in 0..<part.length) {
                    val drawn = mix(seedOfPart + part.salt + number * GOLDEN + at * PLACE)
                    out.put(LETTERS[below(LETTERS.size.toLong(), drawn).toInt()])
                }
            }
        }
    }

    /** A server's value must not end a line or a path, or begin another one. */
    private fun put(value: ByteArray, place: KeptPlace, out: ByteSink) {
        if (place == KeptPlace.BODY) return out.put(value)
        for (byte in value) {
            val isPlain = if (place == KeptPlace.PATH) byte in PLAIN_IN_PATH else byte >= BLANK || byte == TAB
            when {
                isPlain -> out.put(byte)
                place == KeptPlace.PATH -> out.put("%%%02X".format(byte).toByteArray())
                else -> out.put(BLANK)
            }
        }
    }

    /** Makes the draws of different placeholders independent. */
    private fun saltOf(index: Int) = mix(index + 1L)

    private companion object {
        const val END_OF_LINE = "\r\n"
        const val BLANK = ' '.code.toByte()
        const val TAB = '\t'.code.toByte()

        /** What may stand in a path or a query as it is (RFC 3986, sections 3.3 and 3.4), and the sign of an escape. */
        val PLAIN_IN_PATH =
            (('a'..'z') + ('A'..'Z') + ('0'..'9') + "-._~!$&'()*+,;=:@/?%".toList())
                .mapTo(HashSet()) { it.code.toByte() }
        val LETTERS = (('a'..'z') + ('0'..'9')).joinToString("").toByteArray()
    }
}
