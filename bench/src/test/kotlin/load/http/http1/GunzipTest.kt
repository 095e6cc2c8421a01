package threadgauge.load.http.http1

import io.kotest.matchers.shouldBe
import java.io.ByteArrayOutputStream
import java.util.zip.GZIPOutputStream
import org.junit.jupiter.api.Test

class GunzipTest {
    private val text = "a body ".repeat(1_000).toByteArray()
    private val packed = gzip(text)

    @Test
    fun `members are unpacked one after the other into one body`() = unpacking {
        it.unpack(packed, packed.size) shouldBe true
        it.bytes.copyOf(it.length) shouldBe text
        val twice = packed + packed
        it.unpack(twice, twice.size) shouldBe true
        it.bytes.copyOf(it.length) shouldBe text + text
    }

    @Test
    fun `a member with a wrong checksum or length, cut off, or followed by other bytes is none`() = unpacking {
        for (place in 1..8) {
            val wrong = packed.clone().also { bytes -> bytes[bytes.size - place]++ }
            it.unpack(wrong, wrong.size) shouldBe false
        }
        for (end in packed.indices) it.unpack(packed, end) shouldBe false
        it.unpack(packed + 1, packed.size + 1) shouldBe false
        it.unpack(packed, packed.size) shouldBe true
    }

    private fun unpacking(test: (Gunzip) -> Unit) = Gunzip().use(test)

    private fun gzip(bytes: ByteArray): ByteArray =
        ByteArrayOutputStream().also { out -> GZIPOutputStream(out).use { it.write(bytes) } }.toByteArray()
}
