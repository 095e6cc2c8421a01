package threadgauge.load.http

import java.util.Arrays
import threadgauge.load.http.http1.NOTHING
import threadgauge.load.http.stream.MessageTap

/**
 * The body of the answer under way on one connection: its length, whether it equals the expected one and, if it [keeps]
 * them, its bytes. Bytes beyond [MAX_KEPT_BYTES] are only counted, so that an endless answer does not fill the heap.
 *
 * Belongs to one event loop.
 */
class Body internal constructor(
    private val expected: ByteArray? = null,
    private val keeps: Boolean = false,
    /** Sees all bytes; null where nobody does. */
    internal val tap: MessageTap? = null,
) {
    /** Bytes so far, without the framing of chunks. */
    var length = 0L
        private set

    /** True if the body equals the expected one, or none is expected. False while it is shorter. */
    val matches get() = same && (expected == null || length == expected.size.toLong())

    /** Its first [keptLength] bytes are the body, up to the limit. */
    var kept = NOTHING
        private set
    val keptLength get() = minOf(length, MAX_KEPT_BYTES.toLong()).toInt()

    /** Nothing was left out. Meaningful only if bytes are kept. */
    val isWhole get() = length <= MAX_KEPT_BYTES

    private var same = true

    /** Prepares for the next body. */
    fun clear() {
        if (kept.size > FREELY_KEPT_BYTES) kept = NOTHING
        length = 0
        same = true
        tap?.clear()
    }

    /** Appends [count] bytes of [bytes], from index [from]. */
    fun take(bytes: ByteArray, from: Int, count: Int) {
        if (expected != null && same) {
            val at = length
            same = at + count <= expected.size &&
                Arrays.equals(expected, at.toInt(), at.toInt() + count, bytes, from, from + count)
        }
        if (keeps) keep(bytes, from, count)
        tap?.take(bytes, from, count)
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
        /** The longest body of which more than the length is checked. */
        const val MAX_KEPT_BYTES = 8 * 1024 * 1024

        /**
         * A connection keeps a buffer of this size between two answers, to save allocations. With 18,000 connections,
         * more would add up.
         */
        private const val FREELY_KEPT_BYTES = 4 * 1024
    }
}
