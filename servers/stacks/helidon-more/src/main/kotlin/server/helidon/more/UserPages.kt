package threadgauge.server.helidon.more

import io.helidon.webserver.http.HttpRouting
import java.util.concurrent.CompletableFuture
import java.util.concurrent.Executors
import threadgauge.server.backends.UserPage
import threadgauge.server.backends.outcome
import threadgauge.server.helidon.json
import threadgauge.server.helidon.parameter
import threadgauge.server.helidon.serve
import threadgauge.server.work.blockThread

/** Two more virtual threads fetch the parts, while the request's own thread waits for both. */
internal fun HttpRouting.Builder.userPages(client: UpstreamClient) {
    val threads = Executors.newVirtualThreadPerTaskExecutor()
    serve("/mobile/users/{id}") { request, answer ->
        val page = UserPage.parse(request.parameter("id"), request.inQuery("ms"), request.inQuery("from"))
        val user = CompletableFuture.supplyAsync({ client.part(page) }, threads)
        val orders = CompletableFuture.supplyAsync({ client.part(page) }, threads)
        answer.json(UserPage.answer(user.outcome(), orders.outcome()))
    }
}

private fun UpstreamClient.part(page: UserPage): String {
    if (page.isFromUpstream) return result(page.millis, page.id)
    blockThread(page.millis)
    return page.part
}
