package threadgauge.patients

import io.ktor.client.HttpClient
import io.ktor.client.engine.cio.CIO
import io.ktor.client.request.get
import io.ktor.client.statement.bodyAsText
import io.ktor.server.engine.embeddedServer
import io.ktor.server.netty.Netty
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing

/** Handlers of Ktor on its Netty engine. */
internal val ktorPatients: Map<String, () -> suspend () -> String> = mapOf(
    "ktor-jdbc" to { connections(10).let { source -> { query(source, 10) } } },
    "ktor-client" to { HttpClient(CIO).let { client -> { client.get(backend).bodyAsText() } } },
)

internal fun startKtor(patient: () -> suspend () -> String, port: Int) {
    val handler = patient()
    embeddedServer(Netty, port = port, host = "127.0.0.1") {
        routing { get("/") { call.respondText(handler()) } }
    }.start(wait = true)
}
