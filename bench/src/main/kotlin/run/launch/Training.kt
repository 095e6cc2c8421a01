package threadgauge.run.launch

import java.nio.file.Files
import java.nio.file.Path
import java.time.Duration
import kotlin.io.path.fileSize
import kotlin.io.path.isRegularFile
import threadgauge.model.Stack
import threadgauge.model.failure.TargetFault
import threadgauge.run.RunContext
import threadgauge.run.RunEvent
import threadgauge.target.TargetFailed

/**
 * What stacks write in a start of their own, before the first that is measured, and read at every start after it: a
 * cache of the Java that they run on. Each is written on all cores, by a process that is asked what the contract asks
 * and then told to end; none of that is measured. The files are gone when this is closed.
 */
internal class Training(
    private val context: RunContext,
    private val stacks: List<Stack>,
    private val services: Services,
) : AutoCloseable {
    private val folder: Path? =
        if (stacks.any { it.training != null }) Files.createTempDirectory("threadgauge-archives-") else null

    /** Throws [TargetFailed] where a stack does not start, or writes nothing. */
    fun train() = stacks.filter { it.training != null }.forEach { stack ->
        context.tell(RunEvent.Training(stack.name))
        val began = System.nanoTime()
        train(stack)
        val bytes = archiveOf(stack).fileSize()
        context.tell(RunEvent.Trained(stack.name, bytes, Duration.ofNanos(System.nanoTime() - began)))
    }

    /** What is put in for names in the commands of [stack]. */
    fun variablesOf(stack: Stack): Map<String, String> =
        if (stack.training == null) {
            services.variables
        } else {
            services.variables + ("archive" to archiveOf(stack).toString())
        }

    private fun train(stack: Stack) {
        val log = context.folder.logs.resolve("${stack.name}-training.log")
        val trained = stack.copy(command = checkNotNull(stack.training))
        val start = ContractStart(trained, emptyList(), variablesOf(stack), context.cores.run { target + agent }, log)
        context.cancellation.using(start.target) { target ->
            start.awaitReady()
            start.exercise()
            target.endByItself(END_PATIENCE)
        }
        if (!archiveOf(stack).isRegularFile()) {
            throw TargetFailed(TargetFault.NoArchive(stack.name, "${archiveOf(stack)}"), log)
        }
    }

    private fun archiveOf(stack: Stack): Path = checkNotNull(folder).resolve("${stack.name}.archive")

    override fun close() {
        folder?.toFile()?.deleteRecursively()
    }

    private companion object {
        /** Java writes a cache of a large server in some ten seconds on one core. */
        val END_PATIENCE: Duration = Duration.ofSeconds(180)
    }
}
