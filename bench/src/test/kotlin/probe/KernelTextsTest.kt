package threadgauge.probe

import io.kotest.assertions.withClue
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.property.Arb
import io.kotest.property.arbitrary.string
import io.kotest.property.checkAll
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Test
import threadgauge.model.CpuFrequency
import threadgauge.model.FileLimits
import threadgauge.model.NetworkSettings
import threadgauge.model.PortRange

class KernelTextsTest {
    @Test
    fun `limits of open files are read, unlimited ones as none`() {
        fileLimitsIn(LIMITS) shouldBe FileLimits(soft = 1_024, hard = 524_288)
        fileLimitsIn(LIMITS.replace("524288 ", "unlimited")) shouldBe FileLimits(soft = 1_024, hard = null)
        for (bad in listOf(
            null, "", "Max open files", "Max open files   many  more  files", LIMITS.replace("open", "shut"),
        )) {
            withClue(bad) { fileLimitsIn(bad).shouldBeNull() }
        }
    }

    @Test
    fun `a range of ports is two numbers in order`() {
        portRangeIn("32768\t60999\n") shouldBe PortRange(32_768, 60_999)
        portRangeIn("32768\t60999\n")?.count shouldBe 28_232
        for (bad in listOf(null, "", "32768", "60999 32768", "0 100", "1 70000", "a b", "1 2 3")) {
            withClue(bad) { portRangeIn(bad).shouldBeNull() }
        }
    }

    @Test
    fun `numbers and words are what a file holds alone`() {
        numberIn("4096\n") shouldBe 4_096
        wordIn("tsc\n") shouldBe "tsc"
        wordIn("arch_sys_counter\n") shouldBe "arch_sys_counter"
        for (bad in listOf(null, "", "-1", "4 096", "many", "99999999999999999999")) withClue(bad) {
            numberIn(bad).shouldBeNull()
        }
        for (bad in listOf(null, "", "two words", "\u001b[31m", "x".repeat(65))) withClue(bad) {
            wordIn(bad).shouldBeNull()
        }
    }

    @Test
    fun `memory is told in bytes, and swap as what is used of it`() {
        val text =
            "MemTotal:       24684092 kB\nMemAvailable:   20265636 kB\nSwapTotal:  2097148 kB\nSwapFree:   1097148 kB\n"
        memoryIn(text, "MemAvailable") shouldBe 20_265_636L * 1_024
        swapUsedIn(text) shouldBe 1_000_000L * 1_024
        swapUsedIn("SwapTotal: 0 kB\nSwapFree: 0 kB\n") shouldBe 0
        for (bad in listOf(null, "", "MemAvailable: lots kB\nSwapTotal: 5 kB\n")) withClue(bad) {
            memoryIn(bad, "MemAvailable").shouldBeNull()
            swapUsedIn(bad).shouldBeNull()
        }
    }

    @Test
    fun `ticks are those of all cores`() {
        ticksIn(
            "cpu  10 20 30 400 50 1 2 7 99 99\ncpu0 1 1 1 1 1 1 1 1\n",
        ) shouldBe CpuTicks(all = 520, idle = 450, stolen = 7)
        for (bad in listOf(null, "", "cpu0 1 2 3 4 5 6 7 8", "cpu  1 2 3", "cpu  1 2 3 4 x 6 7 8")) {
            withClue(bad) { ticksIn(bad).shouldBeNull() }
        }
    }

    @Test
    fun `the time of some cores is that of their lines`() {
        val stat = "cpu  30 0 0 60 6 0 0 4\ncpu0 10 0 0 30 2 0 0 1\ncpu1 20 0 0 30 4 0 0 3\ncpu10 9 9 9 9 9 9 9 9\n"
        ticksIn(stat, listOf(1)) shouldBe CpuTicks(all = 57, idle = 34, stolen = 3)
        ticksIn(stat, listOf(0, 1)) shouldBe CpuTicks(all = 100, idle = 66, stolen = 4)
        ticksIn(stat, listOf(1, 2)).shouldBeNull()
        ticksIn(stat, emptyList()).shouldBeNull()
        // 20 ticks of work and 3 of the hypervisor, of which the target had 11.
        CpuTicks(57, 34, 3).takenSince(CpuTicks(0, 0, 0), ownMillis = 110.0, millis = 570.0) shouldBe
            (12.0 / 57 plusOrMinus 1e-12)
        CpuTicks(57, 34, 3).takenSince(CpuTicks(0, 0, 0), ownMillis = 240.0, millis = 570.0) shouldBe 0.0
    }

    @Test
    fun `pages swapped are counted both ways, or not at all`() {
        swappedIn(
            "nr_free_pages 5\npswpin 12\npswpout 340\npswpin_other 9\n",
        ) shouldBe Swapped(inPages = 12, outPages = 340)
        for (bad in listOf(null, "", "pswpin 12\n", "pswpin x\npswpout 1\n")) withClue(bad) {
            swappedIn(bad).shouldBeNull()
        }
    }

    @Test
    fun `what others spent is what is neither idle nor stolen nor ours, and never less than nothing`() {
        val earlier = CpuTicks(all = 1_000, idle = 500, stolen = 10)
        val now = CpuTicks(all = 2_000, idle = 900, stolen = 110)
        // Of 1,000 ticks 400 were idle and 100 stolen; of the other 500 we had 450, which are 4,500 ms.
        now.otherSince(earlier, ownMillis = 4_500.0) shouldBe 0.05
        now.otherSince(earlier, ownMillis = 6_000.0) shouldBe 0.0
        earlier.otherSince(earlier, ownMillis = 0.0) shouldBe 0.0
    }

    @Test
    fun `a core's frequency is told in megahertz, as far as the system tells`() {
        frequencyIn("schedutil\n", "1800000\n", "3600000\n") shouldBe CpuFrequency("schedutil", 1_800.0, 3_600.0)
        frequencyIn("schedutil\n", "1800000\n", "3600000\n")?.share shouldBe 0.5
        frequencyIn("performance", null, "3600000")?.share.shouldBeNull()
        frequencyIn(null, "<unknown>", "3600000").shouldBeNull()
        frequencyIn(null, null, null).shouldBeNull()
    }

    @Test
    fun `no text makes a parser fail`() = runBlocking<Unit> {
        checkAll(2_000, Arb.string(0..80)) { text ->
            for (rubbish in listOf(text, "Max open files  $text", "cpu  $text", "MemAvailable: $text", "0::/$text")) {
                fileLimitsIn(rubbish)
                portRangeIn(rubbish)
                numberIn(rubbish)
                wordIn(rubbish)
                memoryIn(rubbish, "MemAvailable")
                swapUsedIn(rubbish)
                ticksIn(rubbish)
                swappedIn(rubbish)
                frequencyIn(rubbish, rubbish, rubbish)
                quotaCores { rubbish }
            }
        }
    }

    @Test
    fun `the slowest core counts`() {
        val files = mapOf("cpu0" to "3000000", "cpu1" to "1500000").flatMap { (core, now) ->
            listOf("scaling_governor" to "powersave", "scaling_cur_freq" to now, "cpuinfo_max_freq" to "3000000")
                .map { (file, text) -> "/sys/devices/system/cpu/$core/cpufreq/$file" to text }
        }.toMap()
        MachineProbe(files::get).frequency(listOf(0, 1, 7)) shouldBe CpuFrequency("powersave", 1_500.0, 3_000.0)
    }

    @Test
    fun `a system without these files tells nothing, and that is no error`() {
        val mac = MachineProbe { null }
        mac.fileLimits.shouldBeNull()
        mac.fileLimit.shouldBeNull()
        mac.memoryAvailableBytes.shouldBeNull()
        mac.swapUsedBytes.shouldBeNull()
        mac.clockSource.shouldBeNull()
        mac.quotaCores.shouldBeNull()
        mac.frequency(listOf(0, 1)).shouldBeNull()
        mac.ticks().shouldBeNull()
        mac.busyShare(millis = 1).shouldBeNull()
        mac.network shouldBe NetworkSettings()
    }

    private companion object {
        const val LIMITS = """Limit                     Soft Limit           Hard Limit           Units
Max stack size            8388608              unlimited            bytes
Max open files            1024                 524288               files
Max locked memory         8388608              8388608              bytes
"""
    }
}
