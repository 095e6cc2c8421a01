package threadgauge.server.ktor.customers

import io.ktor.http.ContentType
import io.ktor.http.HttpHeaders
import io.ktor.http.HttpMethod
import io.ktor.http.HttpStatusCode
import io.ktor.serialization.kotlinx.json.json
import io.ktor.serialization.kotlinx.serialization
import io.ktor.serialization.kotlinx.xml.DefaultXml
import io.ktor.server.application.Application
import io.ktor.server.application.install
import io.ktor.server.plugins.contentnegotiation.ContentNegotiation
import io.ktor.server.plugins.contentnegotiation.ContentNegotiationConfig
import io.ktor.server.request.httpMethod
import io.ktor.server.request.receive
import io.ktor.server.response.header
import io.ktor.server.response.respond
import io.ktor.server.routing.Route
import io.ktor.server.routing.RouteSelector
import io.ktor.server.routing.RouteSelectorEvaluation
import io.ktor.server.routing.RoutingResolveContext
import io.ktor.server.routing.accept
import io.ktor.server.routing.contentType
import io.ktor.server.routing.method
import io.ktor.server.routing.route
import io.ktor.server.routing.routing
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.cbor.Cbor
import kotlinx.serialization.json.Json

/** Reads and writes a customer. Named in `application.conf`. */
fun Application.customers() {
    install(UnreadableKinds)
    routing {
        route("/customers") {
            install(UnreadableBodies)
            install(BodyLimit)
            install(ContentNegotiation) { allKinds() }
            // Must be first: otherwise the failure of the other route would hide that of the kind, and the answer would
            // be 405.
            createChild(AnyButPost).onlyPost()
            // The plugin alone would reject an unacceptable kind only after the work.
            method(HttpMethod.Post) { contentType(*kinds) { accept(*kinds) { saveCustomer() } } }
        }
    }
}

private fun Route.saveCustomer() = handle {
    val customer = call.receive<NewCustomer>()
    call.respond(HttpStatusCode.Created, customer.validated())
}

/** Ktor rejects a wrong method, but does not know the right one. */
private fun Route.onlyPost() = handle {
    call.response.header(HttpHeaders.Allow, HttpMethod.Post.value)
    call.respond(HttpStatusCode.MethodNotAllowed)
}

private object AnyButPost : RouteSelector() {
    override suspend fun evaluate(context: RoutingResolveContext, segmentIndex: Int): RouteSelectorEvaluation =
        if (context.call.request.httpMethod == HttpMethod.Post) RouteSelectorEvaluation.FailedMethod
        else RouteSelectorEvaluation.Constant
}

@OptIn(ExperimentalSerializationApi::class)
private fun ContentNegotiationConfig.allKinds() {
    json(Json { ignoreUnknownKeys = true })
    serialization(ContentType.Application.Xml, WholeXml(DefaultXml.copy { defaultPolicy { ignoreUnknownChildren() } }))
    // Stands in for ktor-serialization-kotlinx-cbor, which does not resolve in any version.
    serialization(ContentType.Application.Cbor, Cbor { ignoreUnknownKeys = true })
}

/** The first answers clients that accept any. */
private val kinds = arrayOf(ContentType.Application.Json, ContentType.Application.Xml, ContentType.Application.Cbor)
