package threadgauge.probe

import io.kotest.assertions.withClue
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class CpuQuotaTest {
    @Test
    fun `version 2 tells quota and period in one file`() {
        quotaCores(mapOf(SELF to "0::/\n", "/sys/fs/cgroup/cpu.max" to "150000 100000\n")::get) shouldBe 1.5
        quotaCores(mapOf(SELF to "0::/\n", "/sys/fs/cgroup/cpu.max" to "max 100000\n")::get).shouldBeNull()
    }

    @Test
    fun `the tightest of the groups above counts`() {
        val files = mapOf(
            SELF to "0::/pods/a/b\n",
            "/sys/fs/cgroup/pods/a/b/cpu.max" to "max 100000",
            "/sys/fs/cgroup/pods/a/cpu.max" to "200000 100000",
            "/sys/fs/cgroup/pods/cpu.max" to "800000 100000",
        )
        quotaCores(files::get) shouldBe 2.0
    }

    @Test
    fun `version 1 tells them in two files, and minus one for none`() {
        val self = SELF to "5:memory:/x\n4:cpu,cpuacct:/docker/1\n0::/\n"
        val folder = "/sys/fs/cgroup/cpu,cpuacct/docker/1"
        fun of(quota: String) =
            quotaCores(mapOf(self, "$folder/cpu.cfs_quota_us" to quota, "$folder/cpu.cfs_period_us" to "100000\n")::get)
        of("50000\n") shouldBe 0.5
        of("-1\n").shouldBeNull()
    }

    @Test
    fun `a container that sees only its own group finds the quota at the root`() {
        val files = mapOf(
            SELF to "4:cpu:/docker/1\n",
            "/sys/fs/cgroup/cpu/cpu.cfs_quota_us" to "300000",
            "/sys/fs/cgroup/cpu/cpu.cfs_period_us" to "100000",
        )
        quotaCores(files::get) shouldBe 3.0
    }

    @Test
    fun `what is missing or makes no sense is no quota`() {
        quotaCores { null }.shouldBeNull()
        for (bad in listOf("", "max", "0 100000", "-5 100000", "5 0", "a b", "1 2 3")) withClue(bad) {
            quotaCores(mapOf(SELF to "0::/\n", "/sys/fs/cgroup/cpu.max" to bad)::get).shouldBeNull()
        }
        for (bad in listOf("", "nonsense", "::", "4:memory:/x", "0::relative")) withClue(bad) {
            quotaCores(mapOf(SELF to bad, "/sys/fs/cgroup/cpu.max" to "100000 100000")::get).shouldBeNull()
        }
    }

    private companion object {
        const val SELF = "/proc/self/cgroup"
    }
}
