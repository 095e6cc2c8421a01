package threadgauge.probe

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.model.profile.NoProfile
import threadgauge.model.profile.NoProfileReason

@Tag("processes")
class FamilyProbeTest {
    private val own = ProcessHandle.current().pid()

    @Test
    fun `several processes are read as one, and one that has ended keeps what it spent`() {
        val child = ProcessBuilder("sleep", "60").start()
        try {
            val family = FamilyProbe { setOf(own, child.pid()) }
            val alone = ProcessProbe.of(own).read().shouldNotBeNull()
            val both = family.read().shouldNotBeNull()
            both.threads shouldBeGreaterThan 1
            both.rssBytes shouldBeGreaterThan ProcessProbe.of(child.pid()).read().shouldNotBeNull().rssBytes
            both.cpuUserMillis shouldBeGreaterThanOrEqual alone.cpuUserMillis
            val switches = family.switches().shouldNotBeNull()
            child.destroyForcibly().waitFor()
            family.read().shouldNotBeNull().cpuUserMillis shouldBeGreaterThanOrEqual both.cpuUserMillis
            (family.switches().shouldNotBeNull().voluntary >= switches.voluntary) shouldBe true
        } finally {
            child.destroyForcibly()
        }
    }

    @Test
    fun `a family without a living member cannot be read`() {
        FamilyProbe { emptySet() }.read().shouldBeNull()
        FamilyProbe { emptySet() }.switches().shouldBeNull()
    }

    @Test
    fun `what is no JVM is never attached to, because it would end by the signal`() {
        val child = ProcessBuilder("sleep", "60").start()
        try {
            val refused = ArrayList<NoProfile>()
            JvmProbe.attach(child.pid(), refused::add).shouldBeNull()
            refused shouldContainExactly listOf(NoProfile(NoProfileReason.NOT_A_JVM))
            child.isAlive shouldBe true
        } finally {
            child.destroyForcibly()
        }
    }
}
