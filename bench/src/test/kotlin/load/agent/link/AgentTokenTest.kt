package threadgauge.load.agent.link

import io.kotest.matchers.collections.shouldBeUnique
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import org.junit.jupiter.api.Test
import threadgauge.load.agent.link.AgentToken.Role

class AgentTokenTest {
    private val token = AgentToken.of("0123456789abcdef0123456789abcdef").shouldNotBeNull()
    private val other = AgentToken.of("0123456789abcdef0123456789abcdeF").shouldNotBeNull()
    private val certificate = byteArrayOf(1, 2, 3)

    @Test
    fun `a proof holds for its token, role, certificate and numbers, and for no others`() {
        val proofs = listOf(
            token.proof(Role.COORDINATOR, certificate, "a", "b"),
            other.proof(Role.COORDINATOR, certificate, "a", "b"),
            token.proof(Role.LISTENER, certificate, "a", "b"),
            token.proof(Role.COORDINATOR, byteArrayOf(1, 2, 4), "a", "b"),
            token.proof(Role.COORDINATOR, certificate, "x", "b"),
            token.proof(Role.COORDINATOR, certificate, "a", "x"),
            // The same characters, cut elsewhere.
            token.proof(Role.COORDINATOR, certificate, "ab", ""),
        )
        proofs.shouldBeUnique()
        proofs.map { token.proves(it, Role.COORDINATOR, certificate, "a", "b") } shouldBe
            listOf(true) + List(proofs.size - 1) { false }
    }

    @Test
    fun `blanks around a token do not matter, and short ones are none`() {
        val padded = AgentToken.of("  0123456789abcdef0123456789abcdef\n").shouldNotBeNull()
        padded.proof(Role.LISTENER, certificate, "a", "b") shouldBe token.proof(Role.LISTENER, certificate, "a", "b")
        AgentToken.of("0123456789abcdef0123456789abcde") shouldBe null
        AgentToken.of("") shouldBe null
        AgentToken.of(AgentToken.new()).shouldNotBeNull()
        AgentToken.new() shouldNotBe AgentToken.new()
    }
}
