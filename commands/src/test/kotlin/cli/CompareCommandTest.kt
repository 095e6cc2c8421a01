package threadgauge.cli

import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import java.nio.file.Path
import kotlin.io.path.readText
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.judge.recordOf
import threadgauge.store.RecordFolder
@Tag("processes")
class CompareCommandTest {
    @TempDir
    lateinit var folder: Path

    @Test
    fun `a slower build exits with 1, an equal one with 0, an unclear one with 2, and all write their files`() {
        record("base", 1.0, 1.004, 0.997, 1.001, 0.999)
        record("slow", 0.9, 0.904, 0.897, 0.901, 0.899)
        record("wild", 0.7, 1.3, 1.0, 0.8, 1.2)
        val cli = CommandLine(folder)
        val slow = cli.run("compare", "base", "slow", "--markdown", "summary.md", "--junit", "result.xml")
        slow.exitCode shouldBe 1
        slow.out shouldContain "Worse than the base: throughput of a in s is 0.90"
        folder.resolve("summary.md").readText() shouldContain "### ❌"
        folder.resolve("result.xml").readText() shouldContain "<failure"
        cli.run("compare", "slow", "base", "--margin", "1%").exitCode shouldBe 0
        cli.run("compare", "base", "wild", "--json").let {
            it.exitCode shouldBe 2
            it.out shouldContain "\"gate\": \"CANNOT_TELL\""
        }
        cli.run("compare", "base,slow,base", "base/record.json, base, slow").exitCode shouldBe 2
    }

    @Test
    fun `bad input is reported with a remedy`() {
        record("base", 1.0, 1.004, 0.997)
        val cli = CommandLine(folder)
        cli.run("compare", "base", "nothing").let {
            it.exitCode shouldBe 65
            it.err shouldContain "nothing is no folder, and no complete run in results was saved under this name"
        }
        cli.run("compare", "base", "base", "--margin", "3").let {
            it.exitCode shouldBe 64
            it.err shouldContain "write 3%"
        }
        cli.run("compare", "base", "base", "--gate", "speed").let {
            it.exitCode shouldBe 64
            it.err shouldContain "throughput, p50, p99, cpu, memory"
        }
        cli.run("compare", "base", "base", "--markdown", "none/summary.md").let {
            it.exitCode shouldBe 74
            it.err shouldNotContain "Exception:"
        }
    }

    private fun record(name: String, vararg factors: Double) {
        val record = recordOf(mapOf("a" to factors.map { it * 10_000 })).copy(id = name)
        RecordFolder(folder.resolve(name)).create().write(record)
    }
}
