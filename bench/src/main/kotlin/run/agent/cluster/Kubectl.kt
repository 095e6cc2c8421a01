package threadgauge.run.agent.cluster

import threadgauge.load.agent.link.AgentDied
import threadgauge.model.KubernetesAgents
import threadgauge.model.failure.Failure
import threadgauge.model.failure.KubernetesFault
import threadgauge.target.called

/**
 * Calls `kubectl`, which knows the user's clusters and how to log in to each (decision 0069). [program] is its name or
 * path. Safe for any thread; a call that hangs is ended after [PATIENCE_SECONDS].
 */
internal class Kubectl(private val agents: KubernetesAgents, private val program: String = PROGRAM) {
    /** A whole command, for a process that stays. */
    fun command(vararg arguments: String): List<String> = listOf(program) + place() + arguments

    /** The output of [arguments], with [input] to read. [what] is told if it fails. Throws [AgentDied]. */
    fun call(what: String, vararg arguments: String, input: String? = null): String {
        val call = called(command(*arguments), PATIENCE_SECONDS, input)
            ?: throw died(KubernetesFault.NoProgram(program))
        if (call.exitCode == 0) return call.output
        throw died(
            if (call.exitCode == null) KubernetesFault.NoAnswer(what, PATIENCE_SECONDS)
            else KubernetesFault.Refused(what, call.detail),
        )
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
    }
}
