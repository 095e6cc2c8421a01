package threadgauge.cli

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.deleteExisting
import kotlin.io.path.isDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readText
import kotlin.io.path.writeText
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.experiment.readExperiment
import threadgauge.experiment.stack.StackCatalogue
import threadgauge.judge.judge
import threadgauge.model.RunState
import threadgauge.model.claim.ClaimMeasure
import threadgauge.model.judgement.claim.ClaimVerdict
import threadgauge.plan.planRun
import threadgauge.store.RecordFolder
import threadgauge.wording.failure.reason

/**
 * Files of claims at reduced size in one command: every figure that a claim is about is measured, and one page reports
 * all claims.
 */
@Tag("processes")
class ClaimFilesTest {
    @TempDir
    lateinit var folder: Path

    private val experiments = CommandLine.projectRoot.resolve("experiments")

    @Test
    fun `every file of claims can be planned`() {
        val catalogue = StackCatalogue.read(CommandLine.projectRoot)
        val files = experiments.resolve("claims").listDirectoryEntries("*.yaml")
        files.shouldNotBeEmpty()
        files.forEach { file ->
            withClue(file.name) {
                val experiment = readExperiment(file, catalogue)
                experiment.claims.shouldNotBeEmpty()
                val plan = planRun(
                    experiment, experiment.stacks.mapNotNull { catalogue[it] }, seed = 1, services = catalogue.services,
                )
                plan.stacks.map { it.name } shouldBe experiment.stacks
                plan.trials shouldHaveSize experiment.stacks.size * experiment.trials
            }
        }
    }

    /**
     * Only the files with the three kinds of situations: starts, the same work as published and corrected, and warm-up.
     * All files would take too long.
     */
    @Test
    fun `files of claims give one page, with a figure for each claim`() {
        val claims = folder.resolve("claims").createDirectories()
        val files = listOf("a1-a2-start.yaml", "b-bff.yaml", "e-webflux-mvc.yaml").map { name ->
            val text = experiments.resolve("claims").resolve(name).readText()
            claims.resolve(name).also { it.writeText(text.lines().joinToString("\n") { line -> reduced(line) }) }
        }

        val run = CommandLine(folder).run("run", *files.map { "$it" }.toTypedArray())
        // One trial gives no interval.
        withClue(run.out + run.err) { run.exitCode shouldBe ExitCode.CANNOT_TELL.number }
        val results = folder.resolve("results")
        val records =
            results.listDirectoryEntries().filter { it.isDirectory() }.sorted().map { RecordFolder(it).read() }
        records.size shouldBe files.size
        for (record in records) withClue(
            record.trials.mapNotNull { it.reason() }.joinToString("\n", postfix = "\n${record.id}"),
        ) {
            record.state shouldBe RunState.COMPLETE
            val judged = judge(record)
            judged.claims.shouldNotBeEmpty()
            for (claim in judged.claims) withClue(claim.claim.name) {
                claim.verdict shouldBe ClaimVerdict.CANNOT_TELL_HERE
                // A server under little load may never collect garbage.
                val possible = claim.checks.filter { it.statement.measure != ClaimMeasure.FIRST_COLLECTION }
                possible.flatMap { it.evidence }.forEach { withClue(it.cell) { it.figure.shouldNotBeNull() } }
            }
            record.plan.experiment.published.forEach { published ->
                (published.cell.stack in record.plan.experiment.stacks) shouldBe true
            }
        }

        val page = results.listDirectoryEntries("overview-*.html").single()
        val before = page.readText()
        for (record in records) {
            before shouldContain "${record.id}/report.html#claim-${record.plan.experiment.claims.first().name}"
        }
        page.deleteExisting()
        val report = CommandLine(folder).run("report", *records.map { "results/${it.id}" }.toTypedArray())
        withClue(report.err) { report.exitCode shouldBe 0 }
        results.listDirectoryEntries("overview-*.html").single().readText() shouldBe before

        // Packed into one file, they give the same page elsewhere.
        CommandLine(folder).run("report", *records.map { "results/${it.id}" }.toTypedArray(), "--pack", "claims.zip")
            .exitCode shouldBe 0
        val unpacked = CommandLine(folder).run("report", "claims.zip", "--out", "elsewhere")
        withClue(unpacked.err) { unpacked.exitCode shouldBe 0 }
        folder.resolve("elsewhere/claims").listDirectoryEntries("overview-*.html").single().readText() shouldBe before
    }

    private fun reduced(line: String) = when {
        line.startsWith("trials:") -> "trials: 1"
        line.startsWith("rest:") -> "rest: 1s"
        line.startsWith("warm-up:") -> "warm-up: {budget: 1s, load: 100ms, pause: 50ms}"
        else -> reducedLoad(line)
    }
}
