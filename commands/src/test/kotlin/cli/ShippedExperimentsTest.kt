package threadgauge.cli

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeIn
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import kotlin.io.path.copyTo
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.nameWithoutExtension
import kotlin.io.path.readText
import kotlin.io.path.writeText
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.experiment.readExperiment
import threadgauge.experiment.stack.StackCatalogue
import threadgauge.model.TrialState
import threadgauge.plan.planRun

/**
 * Every situation of every shipped experiment, at reduced size and against one stack: the files are valid, and their
 * requests are served.
 */
@Tag("processes")
class ShippedExperimentsTest {
    @TempDir
    lateinit var folder: Path

    private val shipped = CommandLine.projectRoot.resolve("experiments").listDirectoryEntries("*.yaml").sorted()

    /** Sales need stacks that sell: [SaleCommandTest]. */
    private val usual = shipped.filterNot { "\n    sale:" in it.readText() }

    @Test
    fun `every situation of every shipped experiment can be measured, at reduced size`() {
        val situations = usual.flatMap { situationsOf(it.readText(), it.nameWithoutExtension) }
        val file = folder.resolve("all.yaml")
        file.writeText(
            "name: all\nquestion: Do all of them work?\nstacks: [ktor-netty+templates+error-pages]\n" +
                "situations:\n" + situations.joinToString("") +
                "trials: 1\nwarm-up: {budget: 1s, load: 100ms, pause: 50ms}\n",
        )
        CommandLine.projectRoot.resolve("experiments").listDirectoryEntries("*.csv")
            .forEach { it.copyTo(folder.resolve(it.name)) }
        val run = CommandLine(folder).run("run", "$file")
        // Loads of a few hundred milliseconds are too short for the answers of some, which the exit code shows.
        withClue(run.out + run.err) { run.exitCode shouldBeIn listOf(0, 2) }
        val trial = run.record().trials.single()
        trial.state shouldBe TrialState.MEASURED
        trial.samples.map { it.situation } shouldContainExactlyInAnyOrder situations.map {
            NAME.find(it)!!.groupValues[1]
        }
        for (sample in trial.samples) withClue("${sample.situation}: ${sample.counts}") {
            sample.counts.answered shouldBeGreaterThan 0
            sample.counts.failures.values.sum() shouldBe 0
            // Beside other tests, requests may be sent too late, which the record shows.
            sample.counts.unfinished + sample.counts.unsent shouldBeLessThan sample.counts.answered
        }
    }

    /** Including sales with stacks that no other test starts. */
    @Test
    fun `every shipped experiment can be planned`() {
        val catalogue = StackCatalogue.read(CommandLine.projectRoot)
        for (file in shipped) withClue(file.name) {
            val experiment = readExperiment(file, catalogue)
            val plan = planRun(
                experiment, experiment.stacks.mapNotNull { catalogue[it] }, seed = 1, services = catalogue.services,
            )
            plan.stacks.map { it.name } shouldBe experiment.stacks
        }
    }

    @Test
    fun `this test can read all parts of every shipped experiment`() {
        shipped.filter { situationsOf(it.readText(), "x").isEmpty() }
            .map { it.nameWithoutExtension } shouldBe emptyList()
    }

    private companion object {
        val NAME = Regex("- name: (\\S+)")
    }
}
