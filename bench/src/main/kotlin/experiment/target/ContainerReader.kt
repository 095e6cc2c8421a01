package threadgauge.experiment.target

import threadgauge.experiment.stack.texts
import threadgauge.experiment.yaml.Fields
import threadgauge.experiment.yaml.ParseContext
import threadgauge.experiment.yaml.YamlNode
import threadgauge.experiment.yaml.fail
import threadgauge.experiment.yaml.quoted
import threadgauge.experiment.yaml.words
import threadgauge.model.Container
import threadgauge.model.Service
import threadgauge.model.Stack

/** The container that [node], the value of `container`, and `options` describe; null if it is wrong. */
internal fun ParseContext.container(node: YamlNode, fields: Fields, port: Int?): Container? {
    val text = words(node, "container", CONTAINER_EXAMPLE, MAX_COMMAND_LENGTH)
    val optionsNode = fields.optional("options")
    val options = optionsNode?.let { texts(it, "options") }.orEmpty()
    for (option in options) {
        val name = option.substringBefore('=')
        if (!option.startsWith("-")) {
            wrong(optionsNode!!, "${quoted(option)} is no option", "Write options with their values: --memory=512m.")
        } else if (name in OURS || SHORT_OURS.containsMatchIn(name)) {
            wrong(optionsNode!!, "${quoted(name)} is set by Threadgauge", "Leave it out.")
        }
    }
    if (text == null) return null
    if (IMAGE.matches(text)) return Container(text, port, options)
    return fail(node, "${quoted(text)} is not the name of an image", "Write $CONTAINER_EXAMPLE.")
}

/** A service in a container with a network of its own is not at this machine's loopback address. */
internal fun ParseContext.refuseHere(node: YamlNode, name: String?, passes: Map<String, String>) {
    val isPlaced = passes.values.any { "{host}" in it }
    val variable = passes.entries
        .firstOrNull { (_, text) -> LOOPBACK.containsMatchIn(text) || !isPlaced && "{port}" in text }?.key ?: return
    wrong(
        node, "${quoted(variable)} of ${quoted(name.orEmpty())} does not say where its container is",
        "Write {host} for the host, such as \"jdbc:postgresql://{host}:{port}/shop\".",
    )
}

/**
 * In a network of its own, this machine's loopback address is the container itself: services at it cannot be reached.
 * Reported at [node], the services of the file.
 */
internal fun ParseContext.refuseUnreachable(node: YamlNode, services: List<Service>, stacks: Collection<Stack?>) {
    val apart = stacks.firstOrNull { it?.container?.port != null } ?: return
    for (service in services) {
        if (service.module != null && service.passes.isNotEmpty()) {
            wrong(
                node,
                "${quoted(service.name)} answers on this machine alone, and ${quoted(apart.name)} has a network of " +
                    "its own",
                "Leave out \"port\" of the container, which then shares the network of this machine.",
            )
            continue
        }
        val variable =
            service.passes.entries.firstOrNull { (_, text) -> LOOPBACK.containsMatchIn(text) }?.key ?: continue
        wrong(
            node, "${quoted(apart.name)} has a network of its own, in which ${quoted(variable)} of " +
                "${quoted(service.name)} names the container itself",
            "Write {host} for the host, and have the service listen on all addresses; or leave out \"port\" of the " +
                "container, which then shares the network of this machine.",
        )
    }
}

internal const val CONTAINER_EXAMPLE = "container: shop:1.4"

/** Registry, path, tag and digest, as far as their signs go; what there is, the engine knows. */
internal val IMAGE = Regex("[A-Za-z0-9][A-Za-z0-9._/:@-]*")
private val LOOPBACK = Regex("127\\.0\\.0\\.1|localhost|\\[::1]", RegexOption.IGNORE_CASE)

/** Short options, which may be joined with each other and with their values: `-dp8080:80`. */
private val SHORT_OURS = Regex("^-[ditP]*[ditPp]")

/** Options of `run` that decide what a container is called, where it is reached and whether it stays. */
private val OURS = setOf(
    "--name", "--rm", "--detach", "--publish", "--publish-all", "--network", "--net", "--cpuset-cpus", "--pull",
    "--interactive", "--tty", "--restart",
)
