package threadgauge.serve

import io.kotest.assertions.withClue
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import java.net.InetAddress
import org.junit.jupiter.api.Test

class AccessTest {
    private val local = Access.of(InetAddress.getByName("127.0.0.1"), "127.0.0.1")
    private val open = Access.of(InetAddress.getByName("0.0.0.0"), "0.0.0.0")

    @Test
    fun `on loopback nobody needs a token, unless it is asked for`() {
        local.token.shouldBeNull()
        local.lets(emptyList()) shouldBe true
        Access.of(InetAddress.getByName("::1"), "::1").token.shouldBeNull()
        Access.of(InetAddress.getByName("127.0.0.1"), "127.0.0.1", always = true).token.shouldNotBeNull()
    }

    @Test
    fun `elsewhere a token is needed, another one each time`() {
        val token = open.token.shouldNotBeNull()
        token shouldNotBe Access.of(InetAddress.getByName("0.0.0.0"), "0.0.0.0").token
        token.length shouldBe 43
        open.isToken(token) shouldBe true
        for (wrong in listOf("", token.drop(1), token + "x", token.reversed())) {
            withClue(wrong) { open.isToken(wrong) shouldBe false }
        }
        local.isToken("") shouldBe false
    }

    @Test
    fun `only its own cookie with the right token lets a reader in`() {
        val right = "${open.cookie}=${open.token}"
        open.lets(listOf("a=b; $right; c=d")) shouldBe true
        open.lets(listOf("a=b", right)) shouldBe true
        val others = listOf("threadgauge-other=${open.token}", "${open.cookie}=", "${open.cookie}=x${open.token}")
        others.forEach { withClue(it) { open.lets(listOf(it)) shouldBe false } }
        open.lets(emptyList()) shouldBe false
    }

    @Test
    fun `names of this machine are known, at any port, and no others`() {
        for (host in listOf("localhost", "LOCALHOST:7070", "127.0.0.1:8000", "127.0.0.2", "[::1]:7070", "localhost.")) {
            withClue(host) { local.knows(host) shouldBe true }
        }
        for (host in listOf(null, "", "evil.example", "evil.example:7070", "localhost.evil.example", "192.168.1.2",
            "127.0.0.1.evil.example", "[::2]", "127.0.0.1@evil.example")) {
            withClue(host) { local.knows(host) shouldBe false }
        }
    }

    @Test
    fun `other addresses are known where the server listens on them, and so is the name that the user gave`() {
        open.knows("192.168.1.2:7070") shouldBe true
        open.knows("[fe80::1]") shouldBe true
        open.knows("evil.example") shouldBe false
        Access.of(InetAddress.getByName("192.0.2.1"), "bench.lan").knows("Bench.LAN:7070") shouldBe true
    }
}
