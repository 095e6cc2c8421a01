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
    val registry = jvmMetrics().also { attributes.put(metricsKept, it) }
    val selfReport = SelfReport(this, engine)
    answerMistakes()
    routing { endpoints(selfReport, registry) }
}

/** Where a module that comes after this one finds what `/metrics` shows. */
val metricsKept = AttributeKey<PrometheusMeterRegistry>("metricsKept")

/** Says what was wrong with a request in the words that all stacks share. */
private fun Application.answerMistakes() {
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
        this@answerMistakes.attributes.getOrNull(furtherMistakes)?.invoke(this)
    }
}

/**
 * As Ktor does where it knows a status for [failure], else by [unexpected]: Ktor would tell the caller the message of the exception, and so
 * the words of a database.
 */
suspend fun ApplicationCall.answer(failure: Throwable, unexpected: suspend ApplicationCall.() -> Unit) {
    val known = defaultExceptionStatusCode(failure)
    val problem = ofBodies.firstOrNull { it.status == known?.value }
    if (problem != null) return respond(problem)
    if (known != null || failure is CancellationException) throw failure
    unexpected()
}

private val ofBodies = listOf(Problem.unsupportedMediaType, Problem.notAcceptable, Problem.contentTooLarge)

/** What a module that comes before this one lets StatusPages answer, too. The plugin can be installed only once. */
val furtherMistakes = AttributeKey<StatusPagesConfig.() -> Unit>("furtherMistakes")

suspend fun ApplicationCall.respond(problem: Problem) =
    respondText(problem.json, ContentType.Application.ProblemJson, HttpStatusCode.fromValue(problem.status))
