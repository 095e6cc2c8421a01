package threadgauge.load.http.stream

/**
 * Finds the ends of the messages that the server of a WebSocket sends (RFC 6455, section 5): a message is one frame or
 * several, between which control frames may come. No extension is agreed on, so messages are as they are sent.
 *
 * Belongs to one connection. Allocates for pings only.
 */
internal class FrameScan : MessageScan {
    private enum class Step { FIRST, LENGTH, MORE_LENGTH, PAYLOAD }

    private var step = Step.FIRST
    private var opcode = 0
    private var isFinal = false

    /** A message has begun, and its last frame has not come. */
    private var inMessage = false
    private var lengthBytes = 0
    private var remaining = 0L
    private val control = ByteArray(MOST_CONTROL)
    private var controlLength = 0
    private var pong: ByteArray? = null

    /** The server has closed the WebSocket. */
    var isClosed = false
        private set

    /** What came is no frame that a server may send. */
    var isBroken = false
        private set

    override fun clear() {
        step = Step.FIRST
        inMessage = false
        isClosed = false
        isBroken = false
        pong = null
    }

    /** The frame that answers the last ping, once; null where there is none. */
    fun takePong(): ByteArray? = pong.also { pong = null }

    override fun feed(bytes: ByteArray, from: Int, count: Int): Int {
        val end = from + count
        var at = from
        var messages = 0
        while (at < end && !isClosed && !isBroken) {
            if (step == Step.PAYLOAD) {
                val taken = minOf(remaining, (end - at).toLong()).toInt()
                if (isControl) keep(bytes, at, taken)
                at += taken
                remaining -= taken
            } else {
                takeHead(bytes[at++].toInt())
            }
            if (step == Step.PAYLOAD && remaining == 0L && !isBroken && endFrame()) messages++
        }
        return messages
    }

    private val isControl get() = opcode >= CLOSE

    private fun takeHead(byte: Int) {
        when (step) {
            Step.FIRST -> {
                isFinal = byte and FINAL != 0
                opcode = byte and OPCODE
                isBroken = byte and RESERVED != 0 || !isAllowed()
                step = Step.LENGTH
            }
            Step.LENGTH -> {
                val length = byte and LENGTH
                // A server does not mask (section 5.1), and a control frame is short (section 5.5).
                isBroken = byte and MASK != 0 || isControl && length > MOST_CONTROL
                lengthBytes = if (length == TWO_MORE) 2 else if (length == EIGHT_MORE) 8 else 0
                remaining = if (lengthBytes == 0) length.toLong() else 0
                controlLength = 0
                step = if (lengthBytes == 0) Step.PAYLOAD else Step.MORE_LENGTH
            }
            Step.MORE_LENGTH -> {
                remaining = remaining shl BITS or (byte and BYTE).toLong()
                if (--lengthBytes == 0) {
                    isBroken = remaining < 0
                    step = Step.PAYLOAD
                }
            }
            Step.PAYLOAD -> error("a payload has no head")
        }
    }

    private fun isAllowed() = when (opcode) {
        CONTINUATION -> inMessage
        TEXT, BINARY -> !inMessage
        CLOSE, PING, PONG -> isFinal
        else -> false
    }

    private fun keep(bytes: ByteArray, from: Int, count: Int) {
        System.arraycopy(bytes, from, control, controlLength, count)
        controlLength += count
    }

    /** Whether the frame ends a message. */
    private fun endFrame(): Boolean {
        step = Step.FIRST
        when (opcode) {
            CLOSE -> isClosed = true
            PING -> pong = masked(PONG, control, controlLength)
            PONG -> Unit
            else -> {
                inMessage = !isFinal
                return isFinal
            }
        }
        return false
    }

    companion object {
        private const val FINAL = 0x80
        private const val RESERVED = 0x70
        private const val OPCODE = 0x0F
        private const val MASK = 0x80
        private const val LENGTH = 0x7F
        private const val TWO_MORE = 126
        private const val EIGHT_MORE = 127
        private const val BITS = 8
        private const val BYTE = 0xFF
        private const val MOST_CONTROL = 125
        private const val CONTINUATION = 0
        private const val TEXT = 1
        private const val BINARY = 2
        private const val CLOSE = 8
        private const val PING = 9
        private const val PONG = 10

        /** The client closes, with status 1000: it has what it wanted. */
        val CLOSING: ByteArray = masked(CLOSE, byteArrayOf(0x03, 0xE8.toByte()), 2)

        /**
         * A control frame of a client, which must mask (section 5.3). The mask is four zeros: it protects
         * intermediaries from scripts in browsers, and there are none here.
         */
        private fun masked(opcode: Int, payload: ByteArray, length: Int): ByteArray =
            byteArrayOf((FINAL or opcode).toByte(), (MASK or length).toByte(), 0, 0, 0, 0) + payload.copyOf(length)
    }
}
