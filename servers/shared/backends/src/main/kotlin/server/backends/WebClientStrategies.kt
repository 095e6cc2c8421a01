package threadgauge.server.backends

import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.coroutineScope
import org.springframework.web.reactive.function.client.WebClient
import org.springframework.web.reactive.function.client.WebClientException
import org.springframework.web.reactive.function.client.awaitBody
import org.springframework.web.reactive.function.client.bodyToMono
import reactor.core.Exceptions
import reactor.core.publisher.Flux
import reactor.core.publisher.Mono

/** Calls that hold no thread while they wait, so that one event loop is enough for all of them. */
internal class ByWebClient(private val clients: WebClients) : Strategy.Reactive {
    override fun results(calls: Calls): Mono<List<String>> {
        val client = clients.of(calls.threads)
        return Flux.range(1, calls.count)
            .flatMapSequential { client.call(calls.millis, it).bodyToMono<String>() }
            .collectList()
            .onErrorMap(::isCallFailure, ::UpstreamFailed)
    }
}

/** The same client, awaited in coroutines. */
internal class ByWebClientInCoroutines(private val clients: WebClients) : Strategy.Suspending {
    override suspend fun results(calls: Calls): List<String> {
        val client = clients.of(calls.threads)
        return try {
            coroutineScope {
                (1..calls.count).map { async { client.call(calls.millis, it).awaitBody<String>() } }.awaitAll()
            }
        } catch (failure: Exception) {
            throw if (isCallFailure(failure)) UpstreamFailed(failure) else failure
        }
    }
}

/**
 * Several concurrent failures may come as one composite. The first failure cancels the other calls, and Spring's
 * connector may then report that an answer was released already (IllegalStateException).
 */
internal fun isCallFailure(failure: Throwable): Boolean = Exceptions.unwrapMultipleExcludingTracebacks(failure).all {
    it is WebClientException || (it is IllegalStateException && it !is CancellationException)
}

private fun WebClient.call(millis: Long, index: Int): WebClient.ResponseSpec =
    get().uri("/test/{millis}/{index}", millis, index).retrieve()
