package threadgauge.load.http.http1

import java.util.zip.CRC32
import java.util.zip.DataFormatException
import java.util.zip.Inflater

/**
 * Decompresses one body of gzip members at a time (RFC 1952). Buffers are reused, so it allocates only while bodies
 * grow. Output beyond [maxBytes] is rejected, because a few kilobytes can decompress to gigabytes.
 *
 * Belongs to one event loop; [close] frees memory outside the heap.
 */
internal class Gunzip(private val maxBytes: Int = 64 * 1024 * 1024) : AutoCloseable {
    private val inflater = Inflater(true)
    private val checksum = CRC32()

    /** Its first [length] bytes are the body that was decompressed last. */
    var bytes = ByteArray(4 * 1024)
        private set
    var length = 0
        private set

    /** Decompresses the first [count] bytes of [packed]. False if they are not one or more complete gzip members. */
    fun unpack(packed: ByteArray, count: Int): Boolean {
        length = 0
        var at = 0
        do {
            at = unpackMember(packed, at, count)
        } while (at in 0..<count)
        return at == count
    }

    /** Decompresses the member that begins at [from]; returns the index after it, or -1. */
    private fun unpackMember(packed: ByteArray, from: Int, count: Int): Int {
        val start = endOfHeader(packed, from, count)
        if (start < 0) return -1
        val lengthBefore = length
        inflater.reset()
        inflater.setInput(packed, start, count - start)
        try {
            while (!inflater.finished()) {
                if (length == bytes.size) {
                    if (length >= maxBytes) return -1
                    bytes = bytes.copyOf(minOf(maxBytes.toLong(), 2L * length).toInt())
                }
                val more = inflater.inflate(bytes, length, bytes.size - length)
                if (more == 0 && (inflater.needsInput() || inflater.needsDictionary())) return -1
                length += more
            }
        } catch (_: DataFormatException) {
            return -1
        }
        val end = count - inflater.remaining + TRAILER_BYTES
        if (end > count || numberBefore(packed, end) != length - lengthBefore) return -1
        checksum.reset()
        checksum.update(bytes, lengthBefore, length - lengthBefore)
        return if (numberBefore(packed, end - LENGTH_BYTES) == checksum.value.toInt()) end else -1
    }

    override fun close() = inflater.end()

    /** Index after the header of the member that begins at [from] (RFC 1952, section 2.3), or -1. */
    private fun endOfHeader(bytes: ByteArray, from: Int, count: Int): Int {
        if (count - from < HEADER_BYTES + TRAILER_BYTES) return -1
        if (bytes[from] != 0x1f.toByte() || bytes[from + 1] != 0x8b.toByte() || bytes[from + 2] != DEFLATE) return -1
        val flags = bytes[from + 3].toInt()
        var at = from + HEADER_BYTES
        if (flags and HAS_EXTRA != 0) at += 2 + (bytes[at].toInt() and 0xff) + (bytes[at + 1].toInt() and 0xff shl 8)
        for (flag in TEXT_FLAGS) {
            if (flags and flag == 0) continue
            while (at < count && bytes[at] != 0.toByte()) at++
            at++
        }
        if (flags and HAS_CHECKSUM != 0) at += 2
        return if (at + TRAILER_BYTES <= count) at else -1
    }

    /** Of the trailer: the uncompressed length modulo 2³² (ISIZE) at its end, and the CRC-32 before that. */
    private fun numberBefore(bytes: ByteArray, end: Int): Int {
        var value = 0
        for (i in 1..4) value = value shl 8 or (bytes[end - i].toInt() and 0xff)
        return value
    }

    private companion object {
        const val HEADER_BYTES = 10
        const val TRAILER_BYTES = 8
        const val LENGTH_BYTES = 4
        const val DEFLATE: Byte = 8
        const val HAS_CHECKSUM = 2
        const val HAS_EXTRA = 4
        const val HAS_NAME = 8
        const val HAS_COMMENT = 16
        val TEXT_FLAGS = intArrayOf(HAS_NAME, HAS_COMMENT)
    }
}
