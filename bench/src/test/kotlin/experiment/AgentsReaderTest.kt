package threadgauge.experiment

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.model.AgentHost
import threadgauge.model.RemoteAgents

class AgentsReaderTest {
    @Test
    fun `hosts have the usual port unless they name one, and IPv6 addresses stand in brackets`() {
        agentHost("load1") shouldBe AgentHost("load1", 7400)
        agentHost("load-2.example.org:7401") shouldBe AgentHost("load-2.example.org", 7401)
        agentHost("192.0.2.7:1") shouldBe AgentHost("192.0.2.7", 1)
        agentHost("[2001:db8::7]") shouldBe AgentHost("2001:db8::7", 7400)
        agentHost("[2001:db8::7]:7401").toString() shouldBe "[2001:db8::7]:7401"
    }

    @Test
    fun `what is no host is none`() {
        for (text in listOf("", "http://load1", "load1:", "load1:0", "load1:70000", "a b", "::1", "-x", "load1/7")) {
            agentHost(text) shouldBe null
        }
    }

    @Test
    fun `the command line names agents, their token and this machine, or says what is missing`() {
        readAgents(null, null, null) shouldBe null
        readAgents("a, b:7401", "t", "192.0.2.1") shouldBe
            RemoteAgents(listOf(AgentHost("a"), AgentHost("b", 7401)), "t", "192.0.2.1")
        mapOf<() -> Any?, String>(
            { readAgents("a,a", null, null) } to "a:7400 is named twice",
            { readAgents(",", null, null) } to "no host is named",
            { readAgents("a:b", null, null) } to "\"a:b\" is no host",
            { readAgents(null, "t", null) } to "--agent-token: there are no agents",
            { readAgents(null, null, "x") } to "--reach-me-at: there are no agents",
        ).forEach { (read, words) -> shouldThrow<ExperimentMistakes> { read() }.message.orEmpty() shouldContain words }
    }
}
