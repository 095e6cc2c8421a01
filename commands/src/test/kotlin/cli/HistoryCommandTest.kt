package threadgauge.cli

import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.readText
import kotlin.io.path.writeText
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.judge.recordOf
import threadgauge.model.RunState
import threadgauge.store.RecordFolder

/** Runs that are found again by their names, and the history of an experiment. */
@Tag("processes")
class HistoryCommandTest {
    @TempDir
    lateinit var folder: Path

    private val cli get() = CommandLine(folder)

    @Test
    fun `ten builds of which one is slower are a history with one change, in words, in a page, and as JSON`() {
        repeat(10) { record(it, if (it < 7) 10_000.0 else 9_000.0) }
        val history = cli.run("history", "e", "--figures", "throughput")
        history.exitCode shouldBe 0
        history.out shouldContain "Throughput of a in s is worse, 0.90 times"
        history.out shouldContain "2026-01-08 00:00 UTC."
        folder.resolve("results/history-e.html").readText() shouldContain "is worse, 0.90 times"
        folder.resolve("results/e-0/summary.json").exists() shouldBe true
        val summarised = Files.getLastModifiedTime(folder.resolve("results/e-0/summary.json"))
        cli.run("history", "--json", "--saved-as", "main").out shouldContain "\"at\": 7"
        Files.getLastModifiedTime(folder.resolve("results/e-0/summary.json")) shouldBe summarised
    }

    @Test
    fun `a saved run is found by its name, the newest complete one of the same experiment`() {
        record(0, 10_000.0)
        record(1, 9_000.0)
        record(2, 5_000.0, state = RunState.INTERRUPTED)
        record(3, 5_000.0, experiment = "other")
        record(4, 9_010.0, savedAs = null)
        cli.run("compare", "main", "results/e-4").let {
            it.out shouldContain "Is e-4 worse than e-1?"
            it.exitCode shouldBe 0
        }
    }

    @Test
    fun `bad input is told with a remedy, and a record that nobody can read is left out`() {
        cli.run("history").let {
            it.exitCode shouldBe 65
            it.err shouldContain "There are no records of runs in results"
        }
        repeat(2) { record(it, 10_000.0) }
        record(2, 10_000.0, experiment = "other")
        cli.run("history").let {
            it.exitCode shouldBe 65
            it.err shouldContain "e (2), other (1). Name one of them."
        }
        cli.run("history", "othr").err shouldContain "Did you mean \"other\"?"
        folder.resolve("results/e-0/record.json").writeText("{")
        cli.run("history", "e").let {
            it.exitCode shouldBe 0
            it.err shouldContain "Left out:"
            it.out shouldContain "1 run: a change is told from noise from 5 runs on."
        }
        cli.run("try", "http://127.0.0.1:1", "--save-as", "a/b").let {
            it.exitCode shouldBe 64
            it.err shouldContain "a/b is no name"
        }
        cli.run("run", "tour", "--junit", "none/run.xml").let {
            it.exitCode shouldBe 74
            it.err shouldContain "there is no folder"
        }
    }

    private fun record(
        at: Int,
        perSecond: Double,
        experiment: String = "e",
        savedAs: String? = "main",
        state: RunState = RunState.COMPLETE,
    ) {
        val record = recordOf(mapOf("a" to List(3) { perSecond * (1 + (it + at % 2) * 0.001) })).let {
            it.copy(
                id = "$experiment-$at", startedAt = "2026-01-%02dT00:00:00Z".format(at + 1), state = state,
                plan = it.plan.copy(savedAs = savedAs, experiment = it.plan.experiment.copy(name = experiment)),
            )
        }
        RecordFolder(folder.resolve("results/$experiment-$at")).create().write(record)
    }
}
