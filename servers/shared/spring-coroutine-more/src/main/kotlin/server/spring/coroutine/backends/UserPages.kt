package threadgauge.server.spring.coroutine.backends

import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import org.springframework.beans.factory.annotation.Value
import org.springframework.http.MediaType
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import org.springframework.web.reactive.function.client.WebClient
import org.springframework.web.reactive.function.client.WebClientException
import org.springframework.web.reactive.function.client.awaitBody
import threadgauge.server.backends.UpstreamFailed
import threadgauge.server.backends.UserPage

/** Two coroutines fetch the parts. Both suspend while they wait, and hold no thread. */
@RestController
class UserPages(clients: WebClient.Builder, @Value("\${upstream}") upstream: String) {
    private val client = clients.baseUrl(upstream).build()

    @GetMapping("/mobile/users/{id}", produces = [MediaType.APPLICATION_JSON_VALUE])
    suspend fun page(@PathVariable id: String, @RequestParam ms: String?, @RequestParam from: String?): String {
        val page = UserPage.parse(id, ms, from)
        return coroutineScope {
            val user = async { part(page) }
            val orders = async { part(page) }
            UserPage.answer(user.await(), orders.await())
        }
    }

    private suspend fun part(page: UserPage): String {
        if (page.isFromUpstream) return called(page)
        delay(page.millis)
        return page.part
    }

    private suspend fun called(page: UserPage): String = try {
        client.get().uri("/test/{ms}/{id}", page.millis, page.id).retrieve().awaitBody()
    } catch (failure: WebClientException) {
        throw UpstreamFailed(failure)
    }
}
