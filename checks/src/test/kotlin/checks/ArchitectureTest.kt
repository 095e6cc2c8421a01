package threadgauge.checks

import com.tngtech.archunit.core.domain.JavaClasses
import com.tngtech.archunit.core.importer.ClassFileImporter
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class ArchitectureTest {
    private val stations = Stations("threadgauge")
    private val badStations = Stations(BAD)

    @Test
    fun `a station uses no station but the model, and only the run knows them all`() {
        bench.toList().shouldNotBeEmpty()
        stations.violations(bench).joinToString("\n") shouldBe ""
    }

    @Test
    fun `every package of the bench is a station with a place in the rules`() {
        stations.strangers(bench).joinToString("\n") shouldBe ""
    }

    @Test
    fun `model, statistics, judge and schedule touch no clock, file, socket, thread or process`() {
        Purity.violations(bench.filter { stations.stationOf(it.packageName) in PURE }).joinToString("\n") shouldBe ""
    }

    @Test
    fun `a use that is forbidden is found`() {
        badStations.violations(bad) shouldContainExactly listOf(
            "judge must not use $BAD.target.KnowsTheAgentsInside ($BAD.judge.OpensAFile)",
            "load.http must not use $BAD.target.KnowsTheAgentsInside ($BAD.load.http.KnowsTheTarget)",
            "load.schedule must not use $BAD.load.http.KnowsTheTarget ($BAD.load.schedule.SleepsAndSends)",
            "report must not use $BAD.run.KnowsTheCommandLine ($BAD.report.StartsTheRun)",
            "run must not use $BAD.cli.Prints ($BAD.run.KnowsTheCommandLine)",
            "target must not use $BAD.load.http.KnowsTheTarget ($BAD.target.KnowsTheAgentsInside)",
        )
    }

    @Test
    fun `a package without a place in the rules is found`() {
        Stations("threadgauge.checks").strangers(bad).shouldNotBeEmpty()
    }

    @Test
    fun `impure code is found`() {
        Purity.violations(bad.filter { badStations.stationOf(it.packageName) in PURE }) shouldContainExactly listOf(
            "$BAD.judge.OpensAFile must be pure and uses java.nio.file.Files",
            "$BAD.judge.OpensAFile must be pure and uses java.nio.file.Path",
            "$BAD.load.schedule.SleepsAndSends must be pure and uses java.lang.Thread",
            "$BAD.load.schedule.SleepsAndSends must be pure and uses java.net.Socket",
            "$BAD.stats.ReadsTheClock must be pure and uses java.lang.ProcessHandle",
            "$BAD.stats.ReadsTheClock must be pure and uses java.lang.System.nanoTime",
            "$BAD.stats.ReadsTheClock must be pure and uses java.time.Instant.now",
            "$BAD.stats.ReadsTheClock must be pure and uses kotlin.random.Random\$Default",
        )
    }

    /** Class files are read once for all tests, which takes seconds. */
    private companion object {
        val bench: JavaClasses by lazy {
            ClassFileImporter().importPath(projectRoot.resolve("bench/target/classes"))
        }

        /** Small examples of every offence, in packages that are named as the stations are. */
        val bad: JavaClasses by lazy { ClassFileImporter().importPackages(BAD) }

        const val BAD = "threadgauge.checks.bad"
        val PURE = setOf("model", "stats", "knee", "map", "judge", "wording", "load.schedule")
    }
}
