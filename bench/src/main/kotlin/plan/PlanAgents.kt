package threadgauge.plan

import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.experiment.yaml.oneMistake
import threadgauge.experiment.yaml.quoted
import threadgauge.model.RemoteAgents
import threadgauge.model.Stack
import threadgauge.model.listeningEverywhere
import threadgauge.model.plan.Plan
import threadgauge.model.request.ServiceUrl
import threadgauge.model.request.isThisMachine

/**
 * With [agents] in place of those of this machine; the same where that is null. Throws [ExperimentMistakes] if the
 * agents could not reach what the plan measures; [where] is the file or option that names them.
 */
fun Plan.withAgents(agents: RemoteAgents?, where: String): Plan {
    if (agents == null) return this
    val here = stacks.filter { it.isHere }
    val target = agents.target
    val isNear = target in ALWAYS_REACHED
    val problem = when {
        here.isEmpty() || isNear -> null
        here.any { it.container?.port != null } -> here.first { it.container?.port != null }.let {
            "${quoted(it.name)} has a network of its own on this machine, where agents elsewhere do not reach it" to
                "Leave out its port, so that it shares the network of this machine."
        }
        target == null -> "${quoted(here.first().name)} is on this machine, and agents elsewhere do not know where" to
            "Give the address by which they reach this machine: target in the file, --reach-me-at on the command line."
        else -> here.firstOrNull { it.isShipped && it.elsewhere.isEmpty() }?.let {
            "${quoted(it.name)} listens on 127.0.0.1, where agents elsewhere do not reach it" to
                "Name a service of your own that listens on $target, or one that runs elsewhere."
        }
    }
    if (problem != null) throw oneMistake(where, problem.first, problem.second)
    val reached = if (isNear) stacks else stacks.map { if (it.isShipped) it.listeningEverywhere() else it }
    return copy(agents = agents, stacks = reached)
}

/** Hosts that agents elsewhere must be allowed to load: those of URLs, and this machine as they reach it. */
fun Plan.hostsOfLoads(): Set<String> {
    val named = stacks.mapNotNull { stack -> stack.url?.let { ServiceUrl.of(it)?.host } }
    return named.filterNot(::isThisMachine).toSet() + listOfNotNull(agents?.target)
}

/** Where every server of this machine listens. */
private val ALWAYS_REACHED = setOf("127.0.0.1", "localhost")

/** Started by the run, or at a URL of this machine. */
private val Stack.isHere: Boolean get() = url?.let { url -> ServiceUrl.of(url)?.let { isThisMachine(it.host) } } ?: true
