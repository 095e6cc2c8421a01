package threadgauge.server.ktor.backends

import io.ktor.http.ContentType
import io.ktor.server.response.respondText
import io.ktor.server.routing.Route
import io.ktor.server.routing.get
import io.ktor.server.util.getOrFail
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import threadgauge.server.backends.UserPage
import threadgauge.server.ktor.query

/** Two coroutines fetch the parts. Both suspend while they wait. */
internal fun Route.userPages(client: UpstreamClient) {
    get("/users/{id}") {
        val page = UserPage.parse(call.pathParameters.getOrFail("id"), call.query("ms"), call.query("from"))
        val answer = coroutineScope {
            val user = async { client.part(page) }
            val orders = async { client.part(page) }
            UserPage.answer(user.await(), orders.await())
        }
        call.respondText(answer, ContentType.Application.Json)
    }
}

private suspend fun UpstreamClient.part(page: UserPage): String {
    if (page.isFromUpstream) return result(page.millis, page.id)
    delay(page.millis)
    return page.part
}
