package threadgauge.contract

import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.ints.shouldBeInRange
import io.kotest.matchers.shouldBe
import java.net.ServerSocket
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test

@Tag("ports")
class FreePortTest {
    @Test
    fun `the port is free, and below the ephemeral range`() {
        val ports = List(200) { freePort() }
        ports.forEach { port ->
            port shouldBeInRange 10_000..32_767
            ServerSocket(port).use { it.localPort shouldBe port }
        }
        ports.toSet().size shouldBe ports.size
    }

    @Test
    fun `a port in use is not returned`() {
        val taken = List(400) { freePort() }.toSet().map { ServerSocket(it) }
        try {
            val ports = taken.map { it.localPort }
            repeat(200) { ports shouldNotContain freePort() }
        } finally {
            taken.forEach { it.close() }
        }
    }

    @Test
    fun `a port that another process has reserved is not returned`() {
        val script = "import fcntl,sys\nf=open(sys.argv[1],'r+b')\n" +
            "fcntl.lockf(f,fcntl.LOCK_EX|fcntl.LOCK_NB,1,int(sys.argv[2]))"
        assumeTrue(runCatching { ProcessBuilder("python3", "--version").start().waitFor() }.getOrNull() == 0)
        val port = freePort()
        fun another(wanted: Int) =
            ProcessBuilder("python3", "-c", script, "${PortReservations.path}", "$wanted")
                .redirectErrorStream(true).start().waitFor()
        // The other process cannot reserve what this one has, and can reserve what it has not.
        (another(port) == 0) shouldBe false
        another(9_999) shouldBe 0
        PortReservations.reserve(port) shouldBe false
    }
}
