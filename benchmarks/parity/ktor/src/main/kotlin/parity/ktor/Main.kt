package threadgauge.parity.ktor

import io.ktor.server.application.Application
import io.ktor.server.application.install
import io.ktor.server.cio.EngineMain as CioMain
import io.ktor.server.netty.EngineMain as NettyMain
import io.ktor.server.plugins.statuspages.StatusPages
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing

/** The engine's name, and what is for the engine's own main. Which module to load stands in `application.conf`. */
fun main(arguments: Array<String>) {
    val forMain = arguments.drop(1).toTypedArray()
    when (val engine = arguments.first()) {
        "netty" -> NettyMain.main(forMain)
        "cio" -> CioMain.main(forMain)
        else -> error("no engine $engine")
    }
}

/** The guide's project at its end; `parity.bare` leaves out the step that answers errors. */
fun Application.module() {
    if (environment.config.propertyOrNull("parity.bare") == null) answerErrors()
    routing {
        get("/hello") { call.respondText("hello") }
    }
}

private fun Application.answerErrors() {
    install(StatusPages) {
        exception<IllegalStateException> { call, failure -> call.respondText("failed: ${failure.message}") }
    }
}
