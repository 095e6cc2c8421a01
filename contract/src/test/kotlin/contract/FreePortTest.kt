package threadgauge.contract

import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.ints.shouldBeInRange
import io.kotest.matchers.shouldBe
import java.net.ServerSocket
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test

class FreePortTest {
    @Test
    fun `nobody listens on it, and the system gives it to no connection`() {
        val ports = List(200) { freePort() }
        ports.forEach { port ->
            port shouldBeInRange 10_000..32_767
            ServerSocket(port).use { it.localPort shouldBe port }
        }
        ports.toSet().size shouldBe ports.size
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

    @Test
    fun `a port that another process has for itself is given to nobody`() {
        val script = "import fcntl,sys\nf=open(sys.argv[1],'r+b')\nfcntl.lockf(f,fcntl.LOCK_EX|fcntl.LOCK_NB,1,int(sys.argv[2]))"
        assumeTrue(runCatching { ProcessBuilder("python3", "--version").start().waitFor() }.getOrNull() == 0)
        val port = freePort()
        fun another(wanted: Int) =
            ProcessBuilder("python3", "-c", script, "${Claims.path}", "$wanted").redirectErrorStream(true).start().waitFor()
        // The other one does not get what this process has, and gets what it has not.
        (another(port) == 0) shouldBe false
        another(9_999) shouldBe 0
        Claims.claim(port) shouldBe false
    }
}
