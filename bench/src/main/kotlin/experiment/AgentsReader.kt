package threadgauge.experiment

import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.experiment.yaml.Fields
import threadgauge.experiment.yaml.ParseContext
import threadgauge.experiment.yaml.YamlMap
import threadgauge.experiment.yaml.YamlNode
import threadgauge.experiment.yaml.choice
import threadgauge.experiment.yaml.fail
import threadgauge.experiment.yaml.fields
import threadgauge.experiment.yaml.members
import threadgauge.experiment.yaml.oneMistake
import threadgauge.experiment.yaml.quoted
import threadgauge.experiment.yaml.scalar
import threadgauge.experiment.yaml.wholeNumber
import threadgauge.experiment.yaml.words
import threadgauge.model.AgentHost
import threadgauge.model.KubernetesAgents
import threadgauge.model.RemoteAgents
import threadgauge.model.WhenLost
import threadgauge.model.request.MAX_PORT

/**
 * The key `agents`: hosts alone, or with a token, an address of this machine, and what to do when one is lost; or a
 * number of pods in a cluster, with their image.
 */
internal fun ParseContext.agents(node: YamlNode): RemoteAgents? {
    if (node !is YamlMap) return hosts(node)?.let { RemoteAgents(it) }
    return if (node.entries.keys.any { it.text == KUBERNETES }) pods(node) else machines(node)
}

private fun ParseContext.machines(node: YamlMap): RemoteAgents? {
    val fields = fields(node, "agents", listOf("hosts", "token", "target", "lost"), EXAMPLE) ?: return null
    val hosts = fields.required("hosts", "hosts: [load1, load2]")?.let { hosts(it) }
    val token = fields.optional("token")?.let { words(it, "token", "token: secrets/agents", MAX_LENGTH) }
    val target = target(fields)
    val lost = lost(fields) ?: return null
    val file = token?.let { neighbours.folder.resolve(it).toString() }
    return RemoteAgents(hosts ?: return null, file, target, lost)
}

private fun ParseContext.pods(node: YamlMap): RemoteAgents? {
    val known = listOf(KUBERNETES, "image", "namespace", "context", "cpu", "memory", "target", "lost")
    val fields = fields(node, "agents in a cluster", known, PODS_EXAMPLE) ?: return null
    val pods = fields.required(KUBERNETES, "kubernetes: 3")?.let { wholeNumber(it, KUBERNETES, 1..MAX_AGENTS) }
    val image = fields.required("image", "image: registry.example.org/threadgauge:0.2.0")
        ?.let { matching(it, "image", IMAGE, "the name of an image, such as registry.example.org/threadgauge:0.2.0") }
    val namespace = fields.optional("namespace")
        ?.let { matching(it, "namespace", LABEL, "the name of a namespace, such as load-tests") }
    val context = fields.optional("context")?.let { words(it, "context", "context: staging", MAX_LENGTH) }
    val cpu = fields.optional("cpu")?.let { matching(it, "cpu", AMOUNT, "an amount such as 2 or 500m") }
    val memory = fields.optional("memory")?.let { matching(it, "memory", AMOUNT, "an amount such as 1Gi") }
    val target = target(fields)
    val lost = lost(fields)
    if (hasMistakes || pods == null || image == null || lost == null) return null
    val kubernetes = KubernetesAgents(pods, image, namespace, context, cpu, memory)
    return RemoteAgents(emptyList(), null, target, lost, kubernetes)
}

private fun ParseContext.target(fields: Fields): String? =
    fields.optional("target")?.let { words(it, "target", "target: 192.0.2.10", MAX_LENGTH) }

/** [WhenLost.STOP] where the file says nothing; null with a mistake. */
private fun ParseContext.lost(fields: Fields): WhenLost? {
    val node = fields.optional("lost") ?: return WhenLost.STOP
    return choice(node, "lost", LOST)
}

private fun ParseContext.matching(node: YamlNode, what: String, pattern: Regex, example: String): String? {
    val text = scalar(node, what, example) ?: return null
    return if (pattern.matches(text)) text else fail(node, "${quoted(text)} is no $what", "Write $example.")
}

/**
 * The same from the command line: [hosts] separated by commas, the file of their [token], and the address of this
 * machine, [target]. Null where no option was given. Throws [ExperimentMistakes].
 */
fun readAgents(hosts: String?, token: String?, target: String?): RemoteAgents? {
    if (hosts == null) {
        val idle = listOf("--agent-token" to token, "--reach-me-at" to target).firstOrNull { it.second != null }
        if (idle != null) throw oneMistake(idle.first, "there are no agents", "Name them with --agents.")
        return null
    }
    val read = hosts.split(',').map { it.trim() }.filter { it.isNotEmpty() }.map { text ->
        agentHost(text) ?: throw oneMistake("--agents", "${quoted(text)} is no host", HOST_REMEDY)
    }
    if (read.isEmpty()) throw oneMistake("--agents", "no host is named", HOST_REMEDY)
    if (read.size > MAX_AGENTS) throw oneMistake("--agents", "more than $MAX_AGENTS agents", "Name fewer machines.")
    twice(read)?.let { throw oneMistake("--agents", "$it is named twice", "Leave one out.") }
    return RemoteAgents(read, token, target)
}

private fun ParseContext.hosts(node: YamlNode): List<AgentHost>? {
    val members = members(node, "agents", EXAMPLE) ?: return null
    val hosts = members.map { member ->
        val text = scalar(member, "an agent", "the name of a machine, such as load1") ?: return null
        agentHost(text) ?: return fail(member, "${quoted(text)} is no host", HOST_REMEDY)
    }
    if (hosts.size > MAX_AGENTS) return fail(node, "more than $MAX_AGENTS agents", "Name fewer machines.")
    twice(hosts)?.let { return fail(node, "$it is named twice", "Leave one out.") }
    return hosts
}

private fun twice(hosts: List<AgentHost>) = hosts.groupBy { it }.values.firstOrNull { it.size > 1 }?.first()

/** `load1`, `load1:7401`, `192.0.2.7` or `[2001:db8::7]:7401`; null for anything else. */
internal fun agentHost(text: String): AgentHost? {
    val parts = HOST.matchEntire(text) ?: return null
    val host = parts.groups["six"]?.value ?: parts.groups["host"]?.value ?: return null
    val port = parts.groups["port"]?.value ?: return AgentHost(host)
    return port.toIntOrNull()?.takeIf { it in 1..MAX_PORT }?.let { AgentHost(host, it) }
}

private val HOST = Regex(
    """(?:\[(?<six>[0-9A-Fa-f:.]+)]|(?<host>[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?))(?::(?<port>\d{1,5}))?""",
)
private val LOST = mapOf("stop" to WhenLost.STOP, "go on" to WhenLost.GO_ON)
private const val HOST_REMEDY = "Write a name or an address, with a port where it is not 7400: load1, load2:7401."
private const val EXAMPLE = "{hosts: [load1, load2], token: secrets/agents, target: 192.0.2.10}"
private const val PODS_EXAMPLE = "{kubernetes: 3, image: \"registry.example.org/threadgauge:0.2.0\"}"
private const val KUBERNETES = "kubernetes"

/** Names of a registry, folders, a tag and a digest; Kubernetes and the registry judge the rest. */
private val IMAGE = Regex("""[A-Za-z0-9][A-Za-z0-9._:/@-]{0,254}""")

/** RFC 1123, which Kubernetes asks of the names of namespaces. */
private val LABEL = Regex("""[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?""")
private val AMOUNT = Regex("""\d+(\.\d+)?(m|k|M|G|T|Ki|Mi|Gi|Ti)?""")
private const val MAX_LENGTH = 500
private const val MAX_AGENTS = 100
