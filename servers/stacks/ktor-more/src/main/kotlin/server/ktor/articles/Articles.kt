package threadgauge.server.ktor.articles

import io.ktor.serialization.kotlinx.json.json
import io.ktor.server.application.Application
import io.ktor.server.plugins.contentnegotiation.ContentNegotiation
import io.ktor.server.response.respond
import io.ktor.server.routing.get
import io.ktor.server.routing.route
import io.ktor.server.routing.routing
import io.ktor.server.util.getOrFail
import threadgauge.server.articles.idOf
import threadgauge.server.articles.idsOf
import threadgauge.server.ktor.query

/** Articles from a database, where an address is given. Named in `application.conf`. */
fun Application.articles() {
    val source = articleSource() ?: return
    routing {
        route("/api/articles") {
            // For this route alone: the others answer with text.
            install(ContentNegotiation) { json() }
            get { call.respond(source.articles(idsOf(call.query("ids")))) }
            get("/{id}") { call.respond(source.articles(listOf(idOf(call.pathParameters.getOrFail("id")))).single()) }
        }
    }
}
