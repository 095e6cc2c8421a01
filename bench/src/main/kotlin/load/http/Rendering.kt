package threadgauge.load.http

import threadgauge.load.http.SplitMix.GOLDEN
import threadgauge.load.http.SplitMix.PLACE
import threadgauge.load.http.SplitMix.below
import threadgauge.load.http.SplitMix.mix
import threadgauge.model.EVENT
import threadgauge.model.Piece
import threadgauge.model.Request
import threadgauge.model.pieces

/**
 * A template of [request] made ready to be written for any request number. What a placeholder stands for is a function
 * of [seed], its place and the number alone, so every slice of a load sends what the whole would have sent. Templates
 * of one request differ in [part]; `{event}` alone is the same in all of them.
 *
 * Not safe for several threads.
 */
internal class Rendering(template: String, request: Request, seed: Long, part: Int = 0) {
    private sealed interface Part
    private class Text(val bytes: ByteArray) : Part
    private class Range(val first: Long, val size: Long, val salt: Long) : Part
    private data object Sequence : Part
    private class Event(val draw: EventDraw) : Part
    private class Random(val length: Int, val salt: Long) : Part
    private class Column(val rows: List<ByteArray>) : Part

    private val seedOfPart = seed + part
    private val parts = pieces(template).mapIndexed { index, piece ->
        when (piece) {
            is Piece.Text -> Text(piece.text.toByteArray())
            is Piece.Range -> Range(piece.first, piece.last - piece.first + 1, saltOf(index))
            is Piece.Sequence -> Sequence
            // Where a single event is sold, the coordinator has put its number in the place.
            is Piece.Event -> request.events?.let { Event(EventDraw(it, seed)) } ?: Text(EVENT.toByteArray())
            is Piece.Random -> Random(piece.length, saltOf(index))
            is Piece.Column -> Column(request.csv.getValue(piece.name).map { it.toByteArray() })
        }
    }

    /** The same for every request. */
    val isFixed = parts.all { it is Text }

    fun render(number: Long, out: ByteSink) {
        for (index in parts.indices) {
            when (val part = parts[index]) {
                is Text -> out.put(part.bytes)
                is Sequence -> out.put(number)
                is Event -> out.put(part.draw.of(number))
                is Column -> out.put(part.rows[(number % part.rows.size).toInt()])
                is Range -> out.put(part.first + below(part.size, mix(seedOfPart + part.salt + number * GOLDEN)))
                is Random -> for (at in 0..<part.length) {
                    val drawn = mix(seedOfPart + part.salt + number * GOLDEN + at * PLACE)
                    out.put(LETTERS[below(LETTERS.size.toLong(), drawn).toInt()])
                }
            }
        }
    }

    /** Placeholders of one template draw apart from each other. */
    private fun saltOf(index: Int) = mix(index + 1L)

    private companion object {
        val LETTERS = (('a'..'z') + ('0'..'9')).joinToString("").toByteArray()
    }
}
