package threadgauge.parity.ktor

import io.ktor.server.application.Application
import io.ktor.server.cio.CIO
import io.ktor.server.engine.embeddedServer
import io.ktor.server.netty.Netty
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing

/** Ktor as its guide "Create a server" has it: `netty` or `cio`, and a port. */
fun main(arguments: Array<String>) {
    val (engine, port) = arguments
    when (engine) {
        "netty" -> embeddedServer(Netty, port.toInt(), module = Application::hello).start(wait = true)
        "cio" -> embeddedServer(CIO, port.toInt(), module = Application::hello).start(wait = true)
        else -> error("no engine $engine")
    }
}

private fun Application.hello() {
    routing {
        get("/hello") { call.respondText("hello") }
    }
}
