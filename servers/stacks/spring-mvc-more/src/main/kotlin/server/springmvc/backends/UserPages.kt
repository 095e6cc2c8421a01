package threadgauge.server.springmvc.backends

import java.util.concurrent.CompletableFuture
import java.util.concurrent.Executor
import java.util.concurrent.Executors
import org.springframework.beans.factory.annotation.Value
import org.springframework.http.MediaType
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import org.springframework.web.client.RestClient
import org.springframework.web.client.RestClientException
import org.springframework.web.client.body
import threadgauge.server.backends.UpstreamFailed
import threadgauge.server.backends.UserPage
import threadgauge.server.backends.outcome
import threadgauge.server.work.blockThread

/**
 * Two threads fetch the parts while the request's own thread waits for both: platform threads of a pool, or virtual
 * ones.
 */
@RestController
class UserPages(
    clients: RestClient.Builder,
    @Value("\${upstream}") upstream: String,
    @Value("\${spring.threads.virtual.enabled:false}") virtual: Boolean,
) {
    private val client = clients.baseUrl(upstream).build()
    private val threads: Executor =
        if (virtual) Executors.newVirtualThreadPerTaskExecutor() else Executors.newCachedThreadPool()

    @GetMapping("/mobile/users/{id}", produces = [MediaType.APPLICATION_JSON_VALUE])
    fun page(@PathVariable id: String, @RequestParam ms: String?, @RequestParam from: String?): String {
        val page = UserPage.parse(id, ms, from)
        val user = CompletableFuture.supplyAsync({ part(page) }, threads)
        val orders = CompletableFuture.supplyAsync({ part(page) }, threads)
        return UserPage.answer(user.outcome(), orders.outcome())
    }

    private fun part(page: UserPage): String {
        if (page.isFromUpstream) return fetch(page)
        blockThread(page.millis)
        return page.part
    }

    private fun fetch(page: UserPage): String = try {
        checkNotNull(client.get().uri("/test/{ms}/{id}", page.millis, page.id).retrieve().body<String>())
    } catch (failure: RestClientException) {
        throw UpstreamFailed(failure)
    }
}
