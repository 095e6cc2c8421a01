package threadgauge.run.launch

import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.readText
import kotlin.time.Duration
import kotlin.time.Duration.Companion.nanoseconds
import kotlin.time.Duration.Companion.seconds
import threadgauge.model.failure.Failed
import threadgauge.model.failure.Failure
import threadgauge.model.plan.Plan
import threadgauge.run.Cancellation
import threadgauge.target.SupervisedProcess

/**
 * Builds the modules of stacks and services that are missing or older than their sources, with the launcher in [home].
 * The first command builds only what the tour needs; other modules are built when an experiment uses them. If nothing
 * is to be built, the launcher returns within milliseconds.
 *
 * [built] are modules that the launcher has checked already.
 */
class StackBuild(private val home: Path, private val built: Set<String>) {
    /**
     * Builds all that [plan] needs. [tell] is called only if that takes long. Throws [BuildFailed], [ModulesAbsent] and
     * `Cancelled`.
     */
    fun build(plan: Plan, cancellation: Cancellation, tell: (BuildEvent) -> Unit) =
        build(
            (plan.stacks.flatMap { listOf(it.module, it.auditor?.module) } + plan.services.map { it.module })
                .filterNotNull(),
            cancellation, tell,
        )

    /** The same for the modules [wanted], such as `servers/stacks/helidon`. */
    fun build(wanted: List<String>, cancellation: Cancellation, tell: (BuildEvent) -> Unit) {
        val modules = wanted.distinct() - built
        val launcher = home.resolve("threadgauge")
        if (modules.isEmpty() || !Files.isExecutable(launcher)) return
        if (!Files.exists(home.resolve("pom.xml"))) return checkPresent(modules)
        val log = home.resolve("target").createDirectories().resolve("on-demand.log")
        Files.deleteIfExists(log)
        val startedNanos = System.nanoTime()
        val build =
            SupervisedProcess.start(listOf("$launcher", "build") + modules, home, log, inherits = System.getenv())
        cancellation.using(build) { supervised ->
            var hasReported = false
            while (supervised.exitCode == null) {
                val took = (System.nanoTime() - startedNanos).nanoseconds
                if (!hasReported && took > PATIENCE) {
                    tell(BuildEvent.Building(modules))
                    hasReported = true
                }
                Thread.sleep(POLL_MILLIS)
            }
            cancellation.check()
            if (supervised.exitCode != 0) {
                throw BuildFailed(modules, log.readText().trimEnd())
            }
            if (hasReported) tell(BuildEvent.Built((System.nanoTime() - startedNanos).nanoseconds))
        }
    }

    /** In a download, which has no sources, nothing is built: a module is there or it is not. */
    private fun checkPresent(modules: List<String>) {
        val absent = modules.filterNot { Files.isDirectory(home.resolve(it).resolve("target")) }
        if (absent.isNotEmpty()) throw ModulesAbsent(absent)
    }

    private companion object {
        /** A check that finds nothing to build is faster. */
        val PATIENCE = 1.seconds
        const val POLL_MILLIS = 20L
    }
}

/** What a build reports while it goes on. */
sealed interface BuildEvent {
    /** [modules] are being built, which takes a while. */
    data class Building(val modules: List<String>) : BuildEvent

    /** The build has ended. */
    data class Built(val took: Duration) : BuildEvent
}

/** [modules] could not be built; the build printed [output]. */
class BuildFailed(modules: List<String>, output: String) : Failed(Failure.Build(modules, output))

/** A download does not hold [modules]. */
class ModulesAbsent(modules: List<String>) : Failed(Failure.Absent(modules))
