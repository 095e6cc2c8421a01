package threadgauge.target

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class CoresTest {
    @Test
    fun `the kernel's list format`() {
        parseCoreList("0-3,8") shouldBe listOf(0, 1, 2, 3, 8)
        parseCoreList("5") shouldBe listOf(5)
    }

    @Test
    fun `a command is pinned only if there are cores to pin it to`() {
        pinned(listOf("java", "-version"), listOf(0, 2)) shouldBe listOf("taskset", "-c", "0,2", "java", "-version")
        pinned(listOf("java"), emptyList()) shouldBe listOf("java")
    }

    @Test
    fun `target and agent never share a core`() {
        val cores = Cores.ofThisMachine
        cores.target.intersect(cores.agent.toSet()) shouldBe emptySet()
        cores.pinned shouldBe cores.agent.isNotEmpty()
    }
}
