package threadgauge.parity.ktor

import io.ktor.http.HttpStatusCode
import io.ktor.server.application.Application
import io.ktor.server.application.install
import io.ktor.server.cio.CIO
import io.ktor.server.engine.embeddedServer
import io.ktor.server.netty.Netty
import io.ktor.server.plugins.statuspages.StatusPages
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing

/** Ktor as its guide "Create a server" has it: `netty` or `cio`, a port, and `with-status-pages` where mistakes are to be answered. */
fun main(arguments: Array<String>) {
    val (engine, port) = arguments
    val module: Application.() -> Unit = {
        if ("with-status-pages" in arguments) answerMistakes()
        hello()
    }
    when (engine) {
        "netty" -> embeddedServer(Netty, port.toInt(), module = module).start(wait = true)
        "cio" -> embeddedServer(CIO, port.toInt(), module = module).start(wait = true)
        else -> error("no engine $engine")
    }
}

private fun Application.hello() {
    routing {
        get("/hello") { call.respondText("hello") }
    }
}

/** As Ktor's guide "Status pages" has it. */
private fun Application.answerMistakes() {
    install(StatusPages) {
        exception<Throwable> { call, _ -> call.respondText("failed", status = HttpStatusCode.InternalServerError) }
        status(HttpStatusCode.NotFound) { call, status -> call.respondText("not found", status = status) }
    }
}
