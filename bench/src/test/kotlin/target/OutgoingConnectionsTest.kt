package threadgauge.target

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.maps.shouldContain
import io.kotest.matchers.maps.shouldNotContainKey
import io.kotest.matchers.shouldBe
import java.net.InetAddress
import java.net.ServerSocket
import java.net.Socket
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test

class OutgoingConnectionsTest {
    @Test
    fun `connections that others have opened, or that belong to others, do not count, and half-closed ones do`() {
        fun line(local: String, remote: String, state: String, inode: Int) =
            "0: $local $remote $state 0:0 00:0 0 1000 0 $inode 1"
        val rows = socketRows(
            listOf(
                line("0100007F:1F90", "00000000:0000", "0A", 1),
                line("0100007F:1F90", "0100007F:C001", "01", 2),
                line("0100007F:C002", "0501A8C0:0CEA", "01", 3),
                line("0000000000000000FFFF00000100007F:C003", "0000000000000000FFFF00000501A8C0:0CEA", "01", 4),
                line("0100007F:C004", "0501A8C0:0CEA", "05", 5),
                line("0100007F:C005", "0501A8C0:0CEA", "01", 6),
                "0: 0100007F:C006 0501A8C0:0CEA 06 00000000:00000000 03:0000 0 0 0 0 3",
            ),
        )
        rows.size shouldBe 6
        outgoing(rows, own = setOf(1, 2, 3, 4, 5)) shouldContainExactly List(3) { "192.168.1.5:3306" }
    }

    @Test
    @Tag("ports")
    fun `connections of this process are counted as long as they are open`() {
        val own = listOf(ProcessHandle.current().pid())
        val address = InetAddress.getByAddress(byteArrayOf(127, 0, 0, 1))
        // The end that listens is this process too, so that only another port than the listener's is its own doing.
        ServerSocket(0, 3, address).use { server ->
            val end = "127.0.0.1:${server.localPort}"
            val sockets = List(3) { Socket(address, server.localPort) }
            outgoingConnections(own) shouldContain (end to 3)
            sockets.forEach { it.close() }
            outgoingConnections(own) shouldNotContainKey end
        }
    }
}
