package threadgauge.server.ktor.backends

import io.ktor.http.ContentType
import io.ktor.http.HttpStatusCode
import io.ktor.server.application.Application
import io.ktor.server.application.ApplicationStopped
import io.ktor.server.application.createRouteScopedPlugin
import io.ktor.server.application.hooks.CallFailed
import io.ktor.server.application.install
import io.ktor.server.response.respondText
import io.ktor.server.routing.route
import io.ktor.server.routing.routing
import threadgauge.server.backends.FanOut
import threadgauge.server.backends.UpstreamFailed
import threadgauge.server.work.Problem

/** The second module of the application: endpoints that call a slow backend. Named in `application.conf`. */
fun Application.backends() {
    val upstream = environment.config.property("upstream").getString()
    val client = UpstreamClient(upstream)
    val fanOut = FanOut(upstream)
    monitor.subscribe(ApplicationStopped) { client.close() }
    routing {
        route("/mobile") {
            install(UpstreamProblems)
            userPages(client)
        }
        route("/fanout") {
            install(UpstreamProblems)
            fanOuts(fanOut)
        }
    }
}

/**
 * Answers a failure of the upstream with the problem document that all stacks share. A plugin of its own, because
 * StatusPages can be installed only once.
 */
private val UpstreamProblems = createRouteScopedPlugin("UpstreamProblems") {
    on(CallFailed) { call, failure ->
        if (failure !is UpstreamFailed) throw failure
        val problem = Problem.badGateway
        call.respondText(problem.json, ContentType.Application.ProblemJson, HttpStatusCode.fromValue(problem.status))
    }
}
