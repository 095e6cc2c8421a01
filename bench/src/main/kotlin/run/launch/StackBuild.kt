package threadgauge.run.launch

import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.readText
import kotlin.time.Duration.Companion.nanoseconds
import kotlin.time.Duration.Companion.seconds
import threadgauge.model.Plan
import threadgauge.run.Cancellation
import threadgauge.target.SupervisedProcess

/**
 * Builds the modules of stacks and services that are not built yet or whose sources are newer. The first command builds
 * only what the tour needs; whatever else an experiment asks for is loaded and built here. The launcher in [home] knows
 * how; it finds out in some milliseconds that there is nothing to do.
 *
 * [built] are the modules that the launcher has looked at already.
 */
class StackBuild(private val home: Path, private val built: Set<String>) {
    /** Whatever [plan] needs. Says to [told] what takes long. Throws [BuildFailed]. */
    fun build(plan: Plan, cancellation: Cancellation, told: (String) -> Unit) =
        build(
            (plan.stacks.flatMap { listOf(it.module, it.auditor?.module) } + plan.services.map { it.module })
                .filterNotNull(),
            cancellation, told,
        )

    /** The same for [wanted], which are modules such as `servers/stacks/helidon`. */
    fun build(wanted: List<String>, cancellation: Cancellation, told: (String) -> Unit) {
        val modules = wanted.distinct() - built
        val launcher = home.resolve("threadgauge")
        if (modules.isEmpty() || !Files.isExecutable(launcher)) return
        val log = home.resolve("target").createDirectories().resolve("on-demand.log")
        Files.deleteIfExists(log)
        val startedNanos = System.nanoTime()
        val build =
            SupervisedProcess.start(listOf("$launcher", "build") + modules, home, log, inherits = System.getenv())
        cancellation.using(build) { supervised ->
            var isTold = false
            while (supervised.exitCode == null) {
                val took = (System.nanoTime() - startedNanos).nanoseconds
                if (!isTold && took > PATIENCE) {
                    told("Building ${modules.joinToString(", ")}; the first time this loads libraries and may take minutes …")
                    isTold = true
                }
                Thread.sleep(POLL_MILLIS)
            }
            cancellation.check()
            if (supervised.exitCode != 0) {
                throw BuildFailed("${modules.joinToString(", ")} could not be built:\n${log.readText().trimEnd()}")
            }
            if (isTold) told("Built in ${(System.nanoTime() - startedNanos).nanoseconds.inWholeSeconds} s.")
        }
    }

    private companion object {
        /** Whoever has nothing to build is done before. */
        val PATIENCE = 1.seconds
        const val POLL_MILLIS = 20L
    }
}

/** The message holds the end of the build's output. */
class BuildFailed(message: String) : Exception(message)
