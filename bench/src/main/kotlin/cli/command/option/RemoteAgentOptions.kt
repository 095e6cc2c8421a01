package threadgauge.cli.command.option

import com.github.ajalt.clikt.parameters.groups.OptionGroup
import com.github.ajalt.clikt.parameters.options.option
import threadgauge.experiment.readAgents
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.model.RemoteAgents

/** Options of commands whose load may come from other machines. */
internal class RemoteAgentOptions : OptionGroup() {
    private val agents by option(
        "--agents", metavar = "host,…", help = "Send the load from agents that listen on these machines",
    )
    private val token by option(
        "--agent-token", metavar = "file",
        help = "File with the token of the agents (default: THREADGAUGE_AGENT_TOKEN)",
    )
    private val target by option(
        "--reach-me-at", metavar = "address", help = "Address by which the agents reach services of this machine",
    )

    /** Null where no agents are named. Throws [ExperimentMistakes]. */
    fun read(): RemoteAgents? = readAgents(agents, token, target)
}
