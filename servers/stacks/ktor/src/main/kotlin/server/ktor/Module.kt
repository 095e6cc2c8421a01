package threadgauge.server.ktor

import io.ktor.http.ContentType
import io.ktor.http.HttpHeaders
import io.ktor.http.HttpMethod
import io.ktor.http.HttpStatusCode
import io.ktor.server.application.Application
import io.ktor.server.application.ApplicationCall
import io.ktor.server.application.install
import io.ktor.server.engine.defaultExceptionStatusCode
import io.ktor.server.engine.logError
import io.ktor.server.plugins.statuspages.StatusPages
import io.ktor.server.plugins.statuspages.StatusPagesConfig
import io.ktor.server.response.header
import io.ktor.server.response.respondText
import io.ktor.server.routing.routing
import io.ktor.util.AttributeKey
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry
import kotlinx.coroutines.CancellationException
import threadgauge.server.work.BadRequest
import threadgauge.server.work.Problem
import threadgauge.server.work.jvmMetrics

/** The application on Netty. Named in `application.conf`. */
fun Application.module() = serve(NettyFacts(this))

/** The application on any engine: plugins and routes. */
fun Application.serve(engine: EngineFacts) {
    val registry = jvmMetrics().also { attributes.put(metricsRegistry, it) }
    val selfReport = SelfReport(this, engine)
    answerInvalidRequests()
    routing { endpoints(selfReport, registry) }
}

/** Holds the metrics for modules that follow this one. */
val metricsRegistry = AttributeKey<PrometheusMeterRegistry>("metricsRegistry")

/** Answers invalid requests with the problem documents that all stacks share. */
private fun Application.answerInvalidRequests() {
    install(StatusPages) {
        exception<BadRequest> { call, mistake -> call.respond(Problem.of(mistake)) }
        exception<Throwable> { call, failure ->
            call.answer(failure) {
                logError(this, failure)
                respondText(HttpStatusCode.InternalServerError.description, status = HttpStatusCode.InternalServerError)
            }
        }
        status(HttpStatusCode.NotFound) { call, _ -> call.respond(Problem.notFound) }
        status(HttpStatusCode.MethodNotAllowed) { call, _ ->
            val allowed = call.response.headers[HttpHeaders.Allow]
            if (allowed == null) call.response.header(HttpHeaders.Allow, HttpMethod.Get.value)
            call.respond(Problem.methodNotAllowed(allowed ?: HttpMethod.Get.value))
        }
        // For the fuller edition, because this plugin can be installed only once.
        ofBodies.forEach { problem ->
            status(HttpStatusCode.fromValue(problem.status)) { call, _ -> call.respond(problem) }
        }
        this@answerInvalidRequests.attributes.getOrNull(furtherExceptions)?.invoke(this)
    }
}

/**
 * Answers with the status that Ktor has for [failure], else with [unexpected]. By default Ktor would send the message
 * of the exception, which may come from a database.
 */
suspend fun ApplicationCall.answer(failure: Throwable, unexpected: suspend ApplicationCall.() -> Unit) {
    val known = defaultExceptionStatusCode(failure)
    val problem = ofBodies.firstOrNull { it.status == known?.value }
    if (problem != null) return respond(problem)
    if (known != null || failure is CancellationException) throw failure
    unexpected()
}

private val ofBodies = listOf(Problem.unsupportedMediaType, Problem.notAcceptable, Problem.contentTooLarge)

/** Exceptions that modules before this one add to StatusPages, because that plugin can be installed only once. */
val furtherExceptions = AttributeKey<StatusPagesConfig.() -> Unit>("furtherExceptions")

suspend fun ApplicationCall.respond(problem: Problem) =
    respondText(problem.json, ContentType.Application.ProblemJson, HttpStatusCode.fromValue(problem.status))
