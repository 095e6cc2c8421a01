package threadgauge.server.ktor.features

import io.ktor.http.HttpStatusCode
import io.ktor.server.application.Application
import io.ktor.server.plugins.statuspages.StatusPagesConfig
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import threadgauge.server.ktor.answer
import threadgauge.server.ktor.furtherExceptions
import threadgauge.server.ktor.respond
import threadgauge.server.work.Features
import threadgauge.server.work.KnownFailure
import threadgauge.server.work.Problem
import threadgauge.server.work.failAsKnown
import threadgauge.server.work.failUnexpectedly

/** Precedes the plain edition's module, which installs the plugin that answers by exception and by status. */
fun Application.errorPages() {
    val hasErrorPages = isOn(Features.ERROR_PAGES)
    val mayRefuse = listOf(Features.BASIC, Features.JWT, Features.SESSION_LOGIN).any(::isOn)
    if (!hasErrorPages && !mayRefuse) return
    attributes.put(furtherExceptions) {
        if (hasErrorPages) answerFailures()
        if (mayRefuse) status(HttpStatusCode.Unauthorized) { call, _ -> call.respond(Problem.unauthorized) }
    }
    if (hasErrorPages) routing {
        get("/fail/known") { failAsKnown() }
        get("/fail/unexpected") { failUnexpectedly() }
    }
}

private fun StatusPagesConfig.answerFailures() {
    exception<KnownFailure> { call, _ -> call.respond(Problem.conflict) }
    exception<Throwable> { call, failure -> call.answer(failure) { respond(Problem.unexpected) } }
}
