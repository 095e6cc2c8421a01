package threadgauge.load.http

import java.util.Arrays
import threadgauge.load.http.http1.NOTHING

/**
 * The body of the answer under way on one connection: its length, whether it is the expected one, and, only where
 * [keeps] says so, its bytes. Bytes beyond [MAX_KEPT_BYTES] are counted and not kept, so that an endless answer cannot
 * fill the heap.
 *
 * Belongs to one event loop.
 */
class Body(private val expected: ByteArray? = null, private val keeps: Boolean = false) {
    /** Bytes so far, without chunk heads. */
    var length = 0L
        private set

    /** False once the body is known to differ from the expected one, and while it is shorter. */
    val matches get() = same && (expected == null || length == expected.size.toLong())

    /** The first [keptLength] bytes of this are the body, up to the limit. */
    var kept = NOTHING
        private set
    val keptLength get() = minOf(length, MAX_KEPT_BYTES.toLong()).toInt()

    /** Nothing was left out. Only where bytes are kept. */
    val isWhole get() = length <= MAX_KEPT_BYTES

    private var same = true

    /** Makes ready for the next body. */
    fun clear() {
        if (kept.size > FREELY_KEPT_BYTES) kept = NOTHING
        length = 0
        same = true
    }

    fun take(bytes: ByteArray, from: Int, count: Int) {
        if (expected != null && same) {
            val at = length
            same = at + count <= expected.size &&
                Arrays.equals(expected, at.toInt(), at.toInt() + count, bytes, from, from + count)
        }
        if (keeps) keep(bytes, from, count)
        length += count
    }

    private fun keep(bytes: ByteArray, from: Int, count: Int) {
        val at = keptLength
        val more = minOf(count, MAX_KEPT_BYTES - at)
        if (more <= 0) return
        if (kept.size < at + more) kept = kept.copyOf(minOf(MAX_KEPT_BYTES, maxOf(256, 2 * (at + more))))
        System.arraycopy(bytes, from, kept, at, more)
    }

    companion object {
        /** Longest body of which more than the length can be asked. */
        const val MAX_KEPT_BYTES = 8 * 1024 * 1024

        /**
         * A connection holds on to this much between two answers, to save allocating; with 18,000 connections more
         * would add up.
         */
        private const val FREELY_KEPT_BYTES = 4 * 1024
    }
}
