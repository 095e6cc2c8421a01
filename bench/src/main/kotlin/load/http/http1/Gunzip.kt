package threadgauge.load.http.http1

import java.util.zip.DataFormatException
import java.util.zip.Inflater

/**
 * Unpacks one gzip member at a time (RFC 1952) and keeps what it needs for the next, so that unpacking allocates only
 * while bodies grow. What would pass [maxBytes] is refused, because a few kilobytes can unpack to gigabytes.
 *
 * Belongs to one event loop; [close] frees memory outside the heap.
 */
internal class Gunzip(private val maxBytes: Int = 64 * 1024 * 1024) : AutoCloseable {
    private val inflater = Inflater(true)

    /** The first [length] bytes are the body that was unpacked last. */
    var bytes = ByteArray(4 * 1024)
        private set
    var length = 0
        private set

    /** Unpacks the first [count] of [packed]. False if they are not one whole gzip member. */
    fun unpack(packed: ByteArray, count: Int): Boolean {
        val start = endOfHeader(packed, count)
        if (start < 0) return false
        inflater.reset()
        inflater.setInput(packed, start, count - start)
        length = 0
        try {
            while (!inflater.finished()) {
                if (length == bytes.size) {
                    if (length >= maxBytes) return false
                    bytes = bytes.copyOf(minOf(maxBytes.toLong(), 2L * length).toInt())
                }
                val more = inflater.inflate(bytes, length, bytes.size - length)
                if (more == 0 && (inflater.needsInput() || inflater.needsDictionary())) return false
                length += more
            }
        } catch (_: DataFormatException) {
            return false
        }
        return inflater.remaining == TRAILER_BYTES && lengthInTrailer(packed, count) == length
    }

    override fun close() = inflater.end()

    /** Index after the member's header, or -1. */
    private fun endOfHeader(bytes: ByteArray, count: Int): Int {
        if (count < HEADER_BYTES + TRAILER_BYTES) return -1
        if (bytes[0] != 0x1f.toByte() || bytes[1] != 0x8b.toByte() || bytes[2] != DEFLATE) return -1
        val flags = bytes[3].toInt()
        var at = HEADER_BYTES
        if (flags and HAS_EXTRA != 0) at += 2 + (bytes[at].toInt() and 0xff) + (bytes[at + 1].toInt() and 0xff shl 8)
        for (flag in intArrayOf(HAS_NAME, HAS_COMMENT)) {
            if (flags and flag == 0) continue
            while (at < count && bytes[at] != 0.toByte()) at++
            at++
        }
        if (flags and HAS_CHECKSUM != 0) at += 2
        return if (at + TRAILER_BYTES <= count) at else -1
    }

    private fun lengthInTrailer(bytes: ByteArray, count: Int): Int {
        var value = 0
        for (i in 1..4) value = value shl 8 or (bytes[count - i].toInt() and 0xff)
        return value
    }

    private companion object {
        const val HEADER_BYTES = 10
        const val TRAILER_BYTES = 8
        const val DEFLATE: Byte = 8
        const val HAS_CHECKSUM = 2
        const val HAS_EXTRA = 4
        const val HAS_NAME = 8
        const val HAS_COMMENT = 16
    }
}
