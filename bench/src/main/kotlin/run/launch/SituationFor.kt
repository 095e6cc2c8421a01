package threadgauge.run.launch

import java.net.URI
import java.nio.file.Path
import kotlin.io.path.readText
import threadgauge.contract.client.Access
import threadgauge.model.Situation
import threadgauge.model.Stack
import threadgauge.model.request.Connections
import threadgauge.model.request.Protocol
import threadgauge.model.request.Tls
import threadgauge.model.request.madeBy
import threadgauge.target.Target

/**
 * [situation] for this stack: with the headers and cookies that authenticate a request, the protocol and TLS settings
 * of the stack, and calls made in the way of its model.
 */
internal fun Stack.situationFor(situation: Situation, variables: Map<String, String>): Situation {
    val request = situation.request.madeBy(model)
    val plain = situation.connections.copy(cookies = cookies ?: situation.connections.cookies)
    return situation.copy(
        request = request.copy(headers = sends + request.headers),
        connections = spoken(variables)?.let { plain.copy(protocol = it.protocol, tls = it.tls) } ?: plain,
    )
}

/** Access to this stack at [port] of this machine. */
internal fun Stack.accessAt(port: Int, variables: Map<String, String>): Access {
    val spoken = spoken(variables)
    val scheme = if (spoken?.tls == null) "http" else "https"
    val adds = adds.mapTo(HashSet()) { it.lowercase() }
    val login = cookies?.login?.let { Access.Login(it.path, it.form) }
    val isHttp2 = spoken?.protocol == Protocol.HTTP_2
    return Access(URI("$scheme://127.0.0.1:$port"), sends, spoken?.tls?.let(::sslContext), isHttp2, adds, login)
}

/** The connection settings with the certificates themselves instead of the name of their file. */
private fun Stack.spoken(variables: Map<String, String>): Connections? {
    val authorities = connections?.tls?.authorities ?: return connections
    val file = Target.filledIn(listOf(authorities), variables).single()
    return connections.copy(tls = Tls(Path.of(file).readText()))
}
