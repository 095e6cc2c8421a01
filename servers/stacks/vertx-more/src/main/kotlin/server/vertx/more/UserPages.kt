package threadgauge.server.vertx.more

import io.vertx.ext.web.Router
import io.vertx.kotlin.coroutines.CoroutineRouterSupport
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import threadgauge.server.backends.UserPage

/** Two coroutines fetch the parts. Both suspend while they wait. */
internal fun CoroutineRouterSupport.userPages(router: Router, client: UpstreamClient) {
    router.get("/mobile/users/:id").coHandler { call ->
        val page = UserPage.parse(call.pathParam("id"), call.inQuery("ms"), call.inQuery("from"))
        val answer = coroutineScope {
            val user = async { client.part(page) }
            val orders = async { client.part(page) }
            UserPage.answer(user.await(), orders.await())
        }
        call.response().putHeader("Content-Type", "application/json").end(answer)
    }
}

private suspend fun UpstreamClient.part(page: UserPage): String {
    if (page.isFromUpstream) return result(page.millis, page.id)
    delay(page.millis)
    return page.part
}
