package threadgauge.load.http.stream

import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import java.io.ByteArrayOutputStream
import org.junit.jupiter.api.Test

/** Frames of a server, as in RFC 6455, sections 5.2 to 5.7. */
class FrameScanTest {
    @Test
    fun `a message is a frame, whatever its length and type`() {
        for (length in listOf(0, 1, 125, 126, 127, 65_535, 65_536)) {
            FrameScan().feedAll(frame(TEXT, length)) shouldBe 1
            FrameScan().feedAll(frame(BINARY, length)) shouldBe 1
        }
        // The example of section 5.7.
        FrameScan().feedAll(byteArrayOf(0x81.toByte(), 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f)) shouldBe 1
    }

    @Test
    fun `a fragmented message is one, also with a ping in its middle`() {
        val scan = FrameScan()
        val bytes = frame(TEXT, 3, isFinal = false) + frame(CONTINUATION, 200, isFinal = false) + frame(PING, 2) +
            frame(CONTINUATION, 0)
        scan.feedAll(bytes) shouldBe 1
        scan.takePong().shouldNotBeNull()
    }

    @Test
    fun `a ping is answered with its payload, masked, and once`() {
        val scan = FrameScan()
        scan.feedAll(byteArrayOf(0x89.toByte(), 2, 7, 9)) shouldBe 0
        scan.takePong() shouldBe byteArrayOf(0x8A.toByte(), 0x82.toByte(), 0, 0, 0, 0, 7, 9)
        scan.takePong().shouldBeNull()
        scan.feedAll(frame(PONG, 4)) shouldBe 0
        scan.takePong().shouldBeNull()
    }

    @Test
    fun `after a close nothing counts`() {
        val scan = FrameScan()
        scan.feedAll(frame(TEXT, 1) + frame(CLOSE, 2) + frame(TEXT, 1)) shouldBe 1
        scan.isClosed shouldBe true
        scan.isBroken shouldBe false
        scan.clear()
        scan.isClosed shouldBe false
        scan.feedAll(frame(TEXT, 1)) shouldBe 1
    }

    @Test
    fun `what no server may send is found`() {
        fun isBroken(vararg bytes: Int) = FrameScan().also { scan ->
            scan.feedAll(ByteArray(bytes.size) { bytes[it].toByte() })
        }.isBroken
        isBroken(0x81, 0x81, 0, 0, 0, 0, 1) shouldBe true // masked
        isBroken(0xC1, 0x01, 1) shouldBe true // a bit of an extension
        isBroken(0x83, 0x00) shouldBe true // an opcode that is reserved
        isBroken(0x80, 0x00) shouldBe true // goes on with nothing
        isBroken(0x01, 0x00, 0x81, 0x00) shouldBe true // a message within a message
        isBroken(0x09, 0x00) shouldBe true // a control frame in parts
        isBroken(0x89, 0x7E) shouldBe true // a control frame that is too long
        isBroken(0x82, 0x7F, 0x80, 0, 0, 0, 0, 0, 0, 0) shouldBe true // longer than 63 bits can tell
        isBroken(0x81, 0x01, 1) shouldBe false
    }

    @Test
    fun `the result does not depend on where pieces are cut`() {
        val bytes = frame(TEXT, 3) + frame(PING, 1) + frame(TEXT, 126, isFinal = false) + frame(CONTINUATION, 1) +
            frame(BINARY, 0)
        for (first in 0..bytes.size) {
            val scan = FrameScan()
            val messages = scan.feed(bytes, 0, first) + scan.feed(bytes, first, bytes.size - first)
            messages shouldBe 3
            scan.takePong().shouldNotBeNull()
        }
        val single = FrameScan()
        bytes.indices.sumOf { single.feed(bytes, it, 1) } shouldBe 3
    }

    private fun FrameScan.feedAll(bytes: ByteArray) = feed(bytes, 0, bytes.size)

    private fun frame(opcode: Int, length: Int, isFinal: Boolean = true): ByteArray =
        ByteArrayOutputStream().apply {
            write((if (isFinal) 0x80 else 0) or opcode)
            when {
                length < 126 -> write(length)
                length < 65_536 -> write(byteArrayOf(126, (length shr 8).toByte(), length.toByte()))
                else -> write(byteArrayOf(127) + ByteArray(8) { (length.toLong() shr (8 * (7 - it))).toByte() })
            }
            write(ByteArray(length) { 'x'.code.toByte() })
        }.toByteArray()

    private companion object {
        const val CONTINUATION = 0
        const val TEXT = 1
        const val BINARY = 2
        const val CLOSE = 8
        const val PING = 9
        const val PONG = 10
    }
}
