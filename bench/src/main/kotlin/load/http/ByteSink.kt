package threadgauge.load.http

/** Buffer in which a request is written. It grows and is reused, so that writing allocates nothing. Not thread-safe. */
internal class ByteSink {
    var bytes = ByteArray(512)
        private set
    var length = 0
        private set

    fun clear() {
        length = 0
    }

    fun put(more: ByteArray, count: Int = more.size) {
        reserve(count)
        System.arraycopy(more, 0, bytes, length, count)
        length += count
    }

    fun put(byte: Byte) {
        reserve(1)
        bytes[length++] = byte
    }

    /** Appends [number] in decimal digits. */
    fun put(number: Long) {
        if (number < 0) {
            if (number == Long.MIN_VALUE) return put("$number".toByteArray())
            put('-'.code.toByte())
            return put(-number)
        }
        var digits = 1
        var rest = number / 10
        while (rest > 0) {
            digits++
            rest /= 10
        }
        reserve(digits)
        rest = number
        for (at in length + digits - 1 downTo length) {
            bytes[at] = ('0'.code + (rest % 10).toInt()).toByte()
            rest /= 10
        }
        length += digits
    }

    private fun reserve(count: Int) {
        if (bytes.size < length + count) bytes = bytes.copyOf(maxOf(2 * bytes.size, length + count))
    }
}
