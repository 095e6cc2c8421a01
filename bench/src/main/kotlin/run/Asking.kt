package threadgauge.run

import threadgauge.contract.Access
import threadgauge.model.Connections
import threadgauge.model.Protocol
import threadgauge.model.Situation
import threadgauge.model.Stack
import threadgauge.model.Tls
import threadgauge.target.Target
import java.net.URI
import java.nio.file.Path
import kotlin.io.path.readText

/** [situation] as this stack must be asked: with the headers that let a request in, and in what the stack speaks. */
internal fun Stack.asked(situation: Situation, places: Map<String, String>): Situation {
    val request = situation.request
    return situation.copy(
        request = request.copy(headers = sends + request.headers),
        connections = spoken(places)?.let { situation.connections.copy(protocol = it.protocol, tls = it.tls) } ?: situation.connections,
    )
}

/** How to reach this stack at [port] of this machine. */
internal fun Stack.accessAt(port: Int, places: Map<String, String>): Access {
    val spoken = spoken(places)
    val scheme = if (spoken?.tls == null) "http" else "https"
    return Access(URI("$scheme://127.0.0.1:$port"), sends, spoken?.tls?.let(::trusting), spoken?.protocol == Protocol.HTTP_2)
}

/** With the certificates themselves in place of the name that stands for their file. */
private fun Stack.spoken(places: Map<String, String>): Connections? {
    val authorities = connections?.tls?.authorities ?: return connections
    val file = Target.filledIn(listOf(authorities), places).single()
    return connections.copy(tls = Tls(Path.of(file).readText()))
}
