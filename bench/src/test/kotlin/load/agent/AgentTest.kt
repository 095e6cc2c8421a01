package threadgauge.load.agent

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.load.agent.link.ProcessLink
import threadgauge.model.AgentHealth
import threadgauge.model.Load
import threadgauge.model.request.Request

@Tag("processes")
class AgentTest {
    @TempDir
    lateinit var temporary: Path

    @Test
    fun `messages of an abandoned load are skipped by the next one`() {
        // Reports the first order only after the second has arrived, like an agent that is still busy with the first.
        val script = listOf(
            "echo '${line(AgentMessage.Ready(1))}'",
            "read -r first",
            "echo '${line(AgentMessage.Started(1, 10, 100))}'",
            "read -r second",
            "echo '${line(done(order = 1, answered = 111))}'",
            "echo '${line(AgentMessage.Started(2, 20, 200))}'",
            "echo '${line(done(order = 2, answered = 222))}'",
            "read -r third",
        ).joinToString("; ")
        val link = ProcessLink(listOf("sh", "-c", script), temporary.resolve("agent.log"), System.getenv())
        Agent(link).use { agent ->
            agent.awaitReady()
            shouldThrow<IllegalStateException> { agent.load(order()) { error("the server is gone") } }
            val heard = ArrayList<Int?>()
            agent.load(order()) { heard += it.order }.answered shouldBe 222
            heard shouldContainExactly listOf(2, 2)
        }
    }

    private fun order() = WorkOrder(1, Load.Users(1, 100), Request(path = "/"), listOf(Address("127.0.0.1", 1)))

    private fun line(message: AgentMessage) = agentJson.encodeToString(AgentMessage.serializer(), message)

    private fun done(order: Int, answered: Long) = AgentMessage.Done(
        order, windowNanos = 100, scheduled = answered, sent = answered, answered = answered,
        answeredInWindow = answered, unsent = 0, unfinished = 0, failures = emptyMap(), connectionsOpened = 1,
        serviceTime = "", sendDelay = "", health = AgentHealth(1.0, 0, 0.0, 0.0, 0.0, 1),
    )
}
