package threadgauge.run.measure

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.model.Load
import threadgauge.model.Situation
import threadgauge.model.request.Connections
import threadgauge.model.request.Protocol
import threadgauge.model.request.Request

class FromEnoughAddressesTest {
    private fun sources(users: Int, connections: Connections = Connections(), linux: Boolean = true) =
        fromEnoughAddresses(
            Situation("many", "are many", Request(path = "/"), Load.Loops(users, 1), connections), linux,
        ).sources

    @Test
    fun `one source address is enough for 14,000 connections, and each further one takes as many`() {
        sources(14_000).shouldBeEmpty()
        sources(14_001) shouldBe listOf("127.0.0.1", "127.0.0.2")
        sources(50_000).size shouldBe 4
    }

    @Test
    fun `configured addresses are kept, streams share connections, and other systems use one address`() {
        sources(50_000, Connections(sources = listOf("127.0.0.9"))) shouldBe listOf("127.0.0.9")
        sources(50_000, Connections(Protocol.HTTP_2, streams = 10)).shouldBeEmpty()
        sources(50_000, linux = false).shouldBeEmpty()
    }
}
