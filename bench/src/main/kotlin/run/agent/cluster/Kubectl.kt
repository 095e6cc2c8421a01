package threadgauge.run.agent.cluster

import java.io.IOException
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit
import threadgauge.load.agent.link.AgentDied
import threadgauge.model.KubernetesAgents
import threadgauge.model.failure.Failure
import threadgauge.model.failure.KubernetesFault

/**
 * Calls `kubectl`, which knows the user's clusters and how to log in to each (decision 0069). [program] is its name or
 * path. Safe for any thread; a call that hangs is ended after [PATIENCE_SECONDS].
 */
internal class Kubectl(private val agents: KubernetesAgents, private val program: String = PROGRAM) {
    /** A whole command, for a process that stays. */
    fun command(vararg arguments: String): List<String> = listOf(program) + place() + arguments

    /** The output of [arguments], with [input] to read. [what] is told if it fails. Throws [AgentDied]. */
    fun call(what: String, vararg arguments: String, input: String? = null): String {
        val process = try {
            ProcessBuilder(command(*arguments)).start()
        } catch (_: IOException) {
            throw died(KubernetesFault.NoProgram(program))
        }
        // Both are read at once: a pipe that nobody empties stops the process.
        val output = CompletableFuture.supplyAsync { process.inputReader().readText() }
        val errors = CompletableFuture.supplyAsync { process.errorReader().readText() }
        try {
            runCatching { process.outputWriter().use { if (input != null) it.write(input) } }
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw died(KubernetesFault.NoAnswer(what, PATIENCE_SECONDS))
            }
            // Before it is destroyed, which closes both.
            val printed = output.get(PATIENCE_SECONDS, TimeUnit.SECONDS)
            if (process.exitValue() == 0) return printed
            val lines = errors.get(PATIENCE_SECONDS, TimeUnit.SECONDS).lines().map { it.trim() }
                .filter { it.isNotEmpty() }
            throw died(KubernetesFault.Refused(what, lines.takeLast(MOST_LINES).joinToString(" ").take(MOST_LENGTH)))
        } finally {
            process.destroyForcibly()
        }
    }

    /** What the user is told, and the end of the run. */
    fun died(fault: KubernetesFault) = AgentDied(Failure.Kubernetes(fault, agents.context))

    private fun place() = buildList {
        agents.context?.let { addAll(listOf("--context", it)) }
        agents.namespace?.let { addAll(listOf("--namespace", it)) }
    }

    companion object {
        const val PROGRAM = "kubectl"
        private const val PATIENCE_SECONDS = 60L
        private const val MOST_LINES = 3
        private const val MOST_LENGTH = 500
    }
}
