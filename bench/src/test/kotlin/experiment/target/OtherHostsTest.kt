package threadgauge.experiment.target

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.experiment.yaml.render

class OtherHostsTest {
    @Test
    fun `this machine may be loaded, and what the user names`() {
        refuse("localhost", "LOCALHOST", "127.0.0.1", "127.9.9.9", "::1", "[::1]", "0.0.0.0") shouldBe null
        refuse("shop.test", "127.0.0.1", mayLoad = listOf("Shop.test")) shouldBe null
        refuse("[2001:db8::1]", mayLoad = listOf("2001:db8::1")) shouldBe null
    }

    @Test
    fun `any other host is refused with the option that allows it`() {
        refuse("192.0.2.10", "127.0.0.1") shouldBe "order.json: \"192.0.2.10\" is not this machine\n" +
            "    If you may load that server, say so: --i-may-load 192.0.2.10\n"
        refuse("a.test", "b.test", "c.test", mayLoad = listOf("b.test")) shouldBe
            "order.json: \"a.test\", \"c.test\" are not this machine\n" +
            "    If you may load those servers, say so: --i-may-load a.test --i-may-load c.test\n"
        // A name is not looked up, and one that only begins like an address of this machine is a name.
        refuse("127.shop.test").orEmpty().lines().first() shouldBe "order.json: \"127.shop.test\" is not this machine"
    }

    private fun refuse(vararg hosts: String, mayLoad: List<String> = emptyList()): String? =
        runCatching { refuseOtherHosts("order.json", hosts.toList(), mayLoad) }.exceptionOrNull()
            ?.let { shouldThrow<ExperimentMistakes> { throw it }.mistakes.single().render() }
}
