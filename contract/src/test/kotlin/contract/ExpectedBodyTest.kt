package threadgauge.contract

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.security.MessageDigest
import java.util.HexFormat

class ExpectedBodyTest {
    @Test
    fun `fixed bodies are known to the byte`() {
        body("/hello") shouldBe "hello"
        body("/hello?from=bench") shouldBe "hello"
        body("/delay/0") shouldBe "waited 0"
        body("/block/60000") shouldBe "blocked 60000"
        body("/offload/100") shouldBe "offloaded 100"
    }

    @Test
    fun `random strings are those that an independent program computed`() {
        knownStrings.forEach { (length, string) -> body("/api/random/string/$length") shouldBe string }
        val hash = MessageDigest.getInstance("SHA-256").digest(HttpContract.expectedBody("/api/random/string/$LONG"))
        HexFormat.of().formatHex(hash) shouldBe LONG_SHA_256
    }

    @Test
    fun `bodies that are not fixed, and answers that are not 200, are null`() {
        listOf("/runtime", "/metrics", "/nowhere", "/delay").forEach { body(it) shouldBe null }
        listOf("-1", "60001", "99999999999999").forEach { body("/delay/$it") shouldBe null }
        body("/api/random/string/1000001") shouldBe null
    }

    private fun body(path: String) = HttpContract.expectedBody(path)?.toString(Charsets.UTF_8)
}
