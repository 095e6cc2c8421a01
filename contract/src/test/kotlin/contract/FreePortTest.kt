package threadgauge.contract

import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.ints.shouldBeInRange
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.net.ServerSocket

class FreePortTest {
    @Test
    fun `nobody listens on it, and the system gives it to no connection`() {
        val ports = List(200) { freePort() }
        ports.forEach { port ->
            port shouldBeInRange 10_000..32_767
            ServerSocket(port).use { it.localPort shouldBe port }
        }
        // Callers that ask at one time are most likely told different ones: of 200 out of 22,768 one pair is to be expected.
        (ports.size - ports.toSet().size) shouldBeLessThan 10
    }

    @Test
    fun `one that is taken is not given`() {
        val taken = List(400) { freePort() }.toSet().map { ServerSocket(it) }
        try {
            val ports = taken.map { it.localPort }
            repeat(200) { ports shouldNotContain freePort() }
        } finally {
            taken.forEach { it.close() }
        }
    }
}
