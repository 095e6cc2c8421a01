package threadgauge.experiment.target

import threadgauge.experiment.yaml.ExperimentMistake
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.experiment.yaml.quoted
import threadgauge.model.request.isThisMachine

/**
 * Refuses a load on any of [hosts], which the file [order] names, that is neither this machine nor one of [mayLoad].
 * As in [readUrl]: to load a server that is not one's own is an attack. Throws [ExperimentMistakes].
 */
fun refuseOtherHosts(order: String, hosts: Collection<String>, mayLoad: Collection<String>) {
    val allowed = mayLoad.map(::plainHost)
    val others = hosts.map(::plainHost).distinct().filter { !isThisMachine(it) && it !in allowed }
    if (others.isEmpty()) return
    val verb = if (others.size == 1) "is" else "are"
    val server = if (others.size == 1) "that server" else "those servers"
    throw ExperimentMistakes(listOf(ExperimentMistake(
        order, 0, 0, "", "${others.joinToString { quoted(it) }} $verb not this machine",
        "If you may load $server, say so: ${others.joinToString(" ") { "--i-may-load $it" }}",
    )))
}

private fun plainHost(host: String) = host.trim('[', ']').lowercase()
