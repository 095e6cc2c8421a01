package threadgauge.server.webflux.backends

import java.time.Duration
import org.springframework.beans.factory.annotation.Value
import org.springframework.http.MediaType
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import org.springframework.web.reactive.function.client.WebClient
import org.springframework.web.reactive.function.client.WebClientException
import org.springframework.web.reactive.function.client.bodyToMono
import reactor.core.publisher.Mono
import threadgauge.server.backends.UpstreamFailed
import threadgauge.server.backends.UserPage

/**
 * Both parts are fetched concurrently and zipped; no thread waits. The client uses the event loops that serve requests.
 */
@RestController
class UserPages(clients: WebClient.Builder, @Value("\${upstream}") upstream: String) {
    private val client = clients.baseUrl(upstream).build()

    @GetMapping("/mobile/users/{id}", produces = [MediaType.APPLICATION_JSON_VALUE])
    fun page(@PathVariable id: String, @RequestParam ms: String?, @RequestParam from: String?): Mono<String> {
        val page = UserPage.parse(id, ms, from)
        return Mono.zip(part(page), part(page), UserPage::answer)
    }

    private fun part(page: UserPage): Mono<String> =
        if (page.isFromUpstream) fetch(page) else Mono.delay(Duration.ofMillis(page.millis)).map { page.part }

    private fun fetch(page: UserPage): Mono<String> =
        client.get().uri("/test/{ms}/{id}", page.millis, page.id).retrieve().bodyToMono<String>()
            .onErrorMap(WebClientException::class.java, ::UpstreamFailed)
}
