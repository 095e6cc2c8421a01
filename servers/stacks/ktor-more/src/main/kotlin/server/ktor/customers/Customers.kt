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
            // Stands first: behind the other, its failure would hide that of a kind, and the answer would be 405.
            createChild(AnyButPost).onlyPost()
            // Left to the plugin alone, an answer that the client does not take would be noticed after the work.
            method(HttpMethod.Post) { contentType(*kinds) { accept(*kinds) { saveCustomer() } } }
        }
    }
}

private fun Route.saveCustomer() = handle {
    val customer = call.receive<NewCustomer>()
    call.respond(HttpStatusCode.Created, customer.validated())
}

/** Ktor knows that a method is wrong, but not which one is right. */
private fun Route.onlyPost() = handle {
    call.response.header(HttpHeaders.Allow, HttpMethod.Post.value)
    call.respond(HttpStatusCode.MethodNotAllowed)
}

private object AnyButPost : RouteSelector() {
    override suspend fun evaluate(context: RoutingResolveContext, segmentIndex: Int): RouteSelectorEvaluation =
        if (context.call.request.httpMethod == HttpMethod.Post) RouteSelectorEvaluation.FailedMethod else RouteSelectorEvaluation.Constant
}

@OptIn(ExperimentalSerializationApi::class)
private fun ContentNegotiationConfig.allKinds() {
    json(Json { ignoreUnknownKeys = true })
    serialization(ContentType.Application.Xml, WholeXml(DefaultXml.copy { defaultPolicy { ignoreUnknownChildren() } }))
    // What ktor-serialization-kotlinx-cbor does, of which no version can be had.
    serialization(ContentType.Application.Cbor, Cbor { ignoreUnknownKeys = true })
}

/** What the client gets where it takes any is the first. */
private val kinds = arrayOf(ContentType.Application.Json, ContentType.Application.Xml, ContentType.Application.Cbor)
