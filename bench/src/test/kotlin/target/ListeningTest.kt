package threadgauge.target

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import java.net.InetAddress
import java.net.ServerSocket
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test

class ListeningTest {
    @Test
    fun `addresses and ports are read from the hexadecimal digits of the kernel's tables`() {
        listeningIn(
            listOf(
                "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode",
                "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 11 1 0 " +
                    "100 0 0 10 0",
                "   1: 00000000:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 12 1 0 " +
                    "100 0 0 10 0",
                "   2: 0501A8C0:2382 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 13 1 0 " +
                    "100 0 0 10 0",
                "   3: 0100007F:9999 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000        0 14 1 0 " +
                    "100 0 0 10 0",
            ),
        ).mapValues { it.value.host to it.value.port } shouldBe
            mapOf(11L to ("127.0.0.1" to 8080), 12L to ("127.0.0.1" to 80), 13L to ("192.168.1.5" to 9090))
    }

    @Test
    fun `IPv6 addresses are distinguished from mapped IPv4 ones`() {
        fun line(address: String, inode: Int) = "0: $address:1F90 0:0 0A 0:0 00:0 0 1000 0 $inode 1"
        val sockets = listeningIn(
            listOf(
                line("00000000000000000000000000000000", 1),
                line("00000000000000000000000001000000", 2),
                line("0000000000000000FFFF00000100007F", 3),
                line("0000000000000000FFFF000000000000", 4),
                line("B80D0120000000000000000001000000", 5),
            ),
        )
        sockets.mapValues { it.value.host } shouldBe
            mapOf(1L to "127.0.0.1", 2L to "::1", 3L to "127.0.0.1", 4L to "127.0.0.1", 5L to "2001:db8:0:0:0:0:0:1")
        // A socket on all IPv6 addresses may exclude IPv4, and the table does not show it.
        sockets.filterValues { it.otherHost != null }.mapValues { it.value.otherHost } shouldBe mapOf(1L to "::1")
    }

    @Test
    fun `invalid lines of a table are skipped`() {
        listeningIn(
            listOf("", "x", "0: zz 0 0A 0 0 0 0 0 y 1", "0: 0100007F:1F90 0 0A 0 0 0 0 0 y 1"),
        ) shouldBe emptyMap()
    }

    @Test
    fun `lsof names a process and then its sockets`() {
        lsofLines(
            listOf("p12", "f5", "n*:8080", "n127.0.0.1:9090", "p13", "n[::1]:7070", "n*:*"),
        ) shouldContainExactly listOf(
            Listening(12, "127.0.0.1", 8080, "::1"), Listening(12, "127.0.0.1", 9090), Listening(13, "::1", 7070),
        )
    }

    @Test
    @Tag("ports")
    fun `an open port of this process is seen as long as it is open`() {
        val own = listOf(ProcessHandle.current().pid())
        val port = ServerSocket(0, 1, InetAddress.getLoopbackAddress()).use { socket ->
            val seen = listening(own).filter { it.port == socket.localPort }
            seen shouldContainExactly listOf(Listening(own.single(), "127.0.0.1", socket.localPort))
            socket.localPort
        }
        listening(own).filter { it.port == port }.shouldBeEmpty()
    }

    private fun listeningIn(table: List<String>): Map<Long, Listening> = listeningSockets(socketRows(table))
}
