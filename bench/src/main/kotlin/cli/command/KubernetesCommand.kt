package threadgauge.cli.command

import com.github.ajalt.clikt.core.CliktCommand
import com.github.ajalt.clikt.core.Context
import com.github.ajalt.clikt.core.subcommands
import com.github.ajalt.clikt.parameters.arguments.argument
import com.github.ajalt.clikt.parameters.options.multiple
import com.github.ajalt.clikt.parameters.options.option
import it.krzeminski.snakeyaml.engine.kmp.api.Dump
import it.krzeminski.snakeyaml.engine.kmp.api.DumpSettings
import it.krzeminski.snakeyaml.engine.kmp.common.FlowStyle
import java.nio.file.Path
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.booleanOrNull
import kotlinx.serialization.json.longOrNull
import threadgauge.cli.ExitCode
import threadgauge.cli.command.option.MAY_LOAD_HELP
import threadgauge.cli.exitCodes
import threadgauge.cli.home
import threadgauge.cli.stop
import threadgauge.experiment.readExperimentFile
import threadgauge.experiment.stack.StackCatalogue
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.plan.hostsOfLoads
import threadgauge.plan.planRun
import threadgauge.plan.withAgents
import threadgauge.run.agent.cluster.AgentManifests

/** `threadgauge kubernetes`: what a run with load agents in a cluster creates there. */
internal fun kubernetesCommand(): CliktCommand = KubernetesCommand().subcommands(RenderCommand())

private class KubernetesCommand : CliktCommand(name = "kubernetes") {
    override fun help(context: Context) = "Show what a run with load agents in a Kubernetes cluster creates there."

    override fun helpEpilog(context: Context) = RENDER_CODES

    override fun run() = Unit
}

private class RenderCommand : CliktCommand(name = "render") {
    private val file by argument("experiment", help = "File of an experiment with agents in a cluster")
    private val mayLoad by option("--i-may-load", metavar = "host", help = MAY_LOAD_HELP).multiple()

    override fun help(context: Context) = """
        Print the manifests of the load agents of an experiment, as YAML. A run creates the same with a name and a token
        of its own, and deletes them at its end.
    """.trimIndent()

    override fun helpEpilog(context: Context) = """
        Examples:
          threadgauge kubernetes render checkout.yaml
          threadgauge kubernetes render checkout.yaml | kubectl apply --dry-run=server -f -
    """.trimIndent() + "\n\n" + RENDER_CODES

    override fun run() {
        val catalogue = StackCatalogue.read(home)
        val manifests = try {
            val read = readExperimentFile(Path.of(file), catalogue, mayLoad.toSet())
            val kubernetes = read.agents?.kubernetes
                ?: throw stop(ExitCode.BAD_FILE, "$file names no agents in a cluster: give agents with kubernetes.")
            val plan = planRun(read.experiment, read.stacks, seed = 1, services = read.services)
                .withAgents(read.agents, file)
            AgentManifests(kubernetes, "threadgauge-example", plan.hostsOfLoads())
        } catch (wrong: ExperimentMistakes) {
            throw stop(ExitCode.BAD_FILE, wrong.message.orEmpty())
        }
        val settings = DumpSettings(defaultFlowStyle = FlowStyle.BLOCK, isExplicitStart = true)
        val documents = listOf(manifests.job(), manifests.secret(EXAMPLE_TOKEN, jobUid = null))
        echo(Dump(settings).dumpAllToString(documents.map(::plain).iterator()).trimEnd())
    }

    private fun plain(element: JsonElement): Any? = when (element) {
        is JsonNull -> null
        is JsonObject -> element.mapValues { plain(it.value) }
        is JsonArray -> element.map(::plain)
        is JsonPrimitive ->
            if (element.isString) element.content else element.booleanOrNull ?: element.longOrNull ?: element.content
    }

    private companion object {
        const val EXAMPLE_TOKEN = "each-run-makes-a-token-of-its-own"
    }
}

private val RENDER_CODES = exitCodes(
    ExitCode.DONE to "done",
    ExitCode.BAD_FILE to "the experiment is wrong, or its load comes from no cluster",
)
