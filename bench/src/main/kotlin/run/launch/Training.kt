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
 * Runs stacks once before their first measured start, so that they write files that every later start reads: a CDS
 * archive or an AOT cache of their JVM. The training process may use all cores; it answers the requests of the contract
 * and is then stopped. Nothing of it is measured. [close] deletes the files.
 */
internal class Training(
    private val context: RunContext,
    private val stacks: List<Stack>,
    private val services: Services,
) : AutoCloseable {
    private val folder: Path? =
        if (stacks.any { it.training != null }) Files.createTempDirectory("threadgauge-archives-") else null

    /** Trains every stack that wants it. Throws [TargetFailed] if one does not start, or writes no file. */
    fun train() = stacks.filter { it.training != null }.forEach { stack ->
        context.tell(RunEvent.Training(stack.name))
        val began = System.nanoTime()
        train(stack)
        val bytes = archiveOf(stack).fileSize()
        context.tell(RunEvent.Trained(stack.name, bytes, Duration.ofNanos(System.nanoTime() - began)))
    }

    /** The variables that replace `{name}` in the commands of [stack]. */
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
        /** A JVM takes some ten seconds on one core to write the cache of a large server. */
        val END_PATIENCE: Duration = Duration.ofSeconds(180)
    }
}
