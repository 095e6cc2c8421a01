package threadgauge.load.http

import threadgauge.model.EVENT
import threadgauge.model.Piece
import threadgauge.model.pieces

/**
 * A template made ready to be written for any request number. What a placeholder stands for is a function of [seed], its
 * place and the number alone, so every slice of a load sends what the whole would have sent.
 *
 * Not safe for several threads.
 */
internal class Rendering(template: String, csv: Map<String, List<String>>, private val seed: Long) {
    private sealed interface Part
    private class Text(val bytes: ByteArray) : Part
    private class Range(val first: Long, val size: Long, val salt: Long) : Part
    private data object Sequence : Part
    private class Random(val length: Int, val salt: Long) : Part
    private class Column(val rows: List<ByteArray>) : Part

    private val parts = pieces(template).mapIndexed { index, piece ->
        when (piece) {
            is Piece.Text -> Text(piece.text.toByteArray())
            is Piece.Range -> Range(piece.first, piece.last - piece.first + 1, saltOf(index))
            is Piece.Sequence -> Sequence
            // The coordinator has put a number in its place wherever something is sold.
            is Piece.Event -> Text(EVENT.toByteArray())
            is Piece.Random -> Random(piece.length, saltOf(index))
            is Piece.Column -> Column(csv.getValue(piece.name).map { it.toByteArray() })
        }
    }

    /** The same for every request. */
    val isFixed = parts.all { it is Text }

    fun render(number: Long, out: ByteSink) {
        for (index in parts.indices) {
            when (val part = parts[index]) {
                is Text -> out.put(part.bytes)
                is Sequence -> out.put(number)
                is Column -> out.put(part.rows[(number % part.rows.size).toInt()])
                is Range -> out.put(part.first + below(part.size, mix(seed + part.salt + number * GOLDEN)))
                is Random -> for (at in 0..<part.length) {
                    out.put(LETTERS[below(LETTERS.size.toLong(), mix(seed + part.salt + number * GOLDEN + at * PLACE)).toInt()])
                }
            }
        }
    }

    /** Placeholders of one template draw apart from each other. */
    private fun saltOf(index: Int) = mix(index + 1L)

    private companion object {
        val LETTERS = (('a'..'z') + ('0'..'9')).joinToString("").toByteArray()

        /** Odd constants with well mixed bits: 2⁶⁴ divided by the golden ratio (Knuth, *Sorting and Searching*, 6.4), and √2 likewise. */
        const val GOLDEN = -0x61c8864680b583ebL
        const val PLACE = 0x6A09E667F3BCC909L

        /** The finalizer of SplitMix64 (Steele, Lea and Flood, *Fast Splittable Pseudorandom Number Generators*, 2014). */
        fun mix(value: Long): Long {
            var z = value
            z = (z xor (z ushr 30)) * -0x40a7b892e31b1a47L
            z = (z xor (z ushr 27)) * -0x6b2fb644ecceee15L
            return z xor (z ushr 31)
        }

        /**
         * Even over `0..<size` but for one part in 2⁶⁴ ÷ size (Lemire, *Fast Random Integer Generation in an Interval*, 2019).
         * A size of 0 means 2⁶⁴.
         */
        fun below(size: Long, random: Long) = if (size == 0L) random else Math.unsignedMultiplyHigh(random, size)
    }
}
