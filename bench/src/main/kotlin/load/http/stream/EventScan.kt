package threadgauge.load.http.stream

/**
 * Finds the ends of server-sent events in a body that arrives in pieces of any size (HTML Living Standard, section
 * 9.2.6): lines end with LF, CR or both; a blank line ends an event, which is one only if it has a field `data`.
 * Comments, by which servers keep a connection alive, are none.
 *
 * Belongs to one connection. Allocates nothing.
 */
internal class EventScan : MessageScan {
    private var position = 0L
    private var lineLength = 0

    /** The line so far begins as a field `data` does. */
    private var isData = true
    private var hasData = false
    private var endedByCr = false

    override fun clear() {
        position = 0
        lineLength = 0
        isData = true
        hasData = false
        endedByCr = false
    }

    override fun feed(bytes: ByteArray, from: Int, count: Int): Int {
        var events = 0
        for (at in from until from + count) {
            val byte = bytes[at]
            when {
                // A byte-order mark may precede everything.
                position++ < MARK.size && byte == MARK[(position - 1).toInt()] -> Unit
                byte == LF && endedByCr -> endedByCr = false
                byte == LF || byte == CR -> {
                    endedByCr = byte == CR
                    if (endLine()) events++
                }
                else -> {
                    endedByCr = false
                    // After the name comes a colon, or the end of the line.
                    if (lineLength < DATA.size) isData = isData && byte == DATA[lineLength]
                    lineLength++
                }
            }
        }
        return events
    }

    /** Whether the line ends an event. */
    private fun endLine(): Boolean {
        val isBlank = lineLength == 0
        val ends = isBlank && hasData
        if (isBlank) hasData = false
        else if (isData && lineLength >= DATA.size - 1) hasData = true
        lineLength = 0
        isData = true
        return ends
    }

    private companion object {
        const val LF = '\n'.code.toByte()
        const val CR = '\r'.code.toByte()
        val DATA = "data:".toByteArray()
        val MARK = byteArrayOf(0xEF.toByte(), 0xBB.toByte(), 0xBF.toByte())
    }
}
