package threadgauge.patients

import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter
import org.springframework.web.reactive.function.client.WebClient
import org.springframework.web.reactive.function.server.RouterFunctions
import org.springframework.web.reactive.function.server.ServerResponse
import reactor.core.publisher.Mono
import reactor.netty.http.server.HttpServer

/** Handlers of Spring WebFlux on Reactor Netty. */
internal val webFluxPatients: Map<String, () -> () -> Mono<String>> = mapOf(
    "webflux-sleep" to { { Mono.fromCallable { blockingWork() } } },
    "webclient-pool" to {
        WebClient.create(backend).let { client -> { client.get().uri("/").retrieve().bodyToMono(String::class.java) } }
    },
)

internal fun startWebFlux(patient: () -> () -> Mono<String>, port: Int) {
    val handler = patient()
    val routes = RouterFunctions.route().GET("/") { handler().flatMap { ServerResponse.ok().bodyValue(it) } }.build()
    HttpServer.create().host("127.0.0.1").port(port)
        .handle(ReactorHttpHandlerAdapter(RouterFunctions.toHttpHandler(routes)))
        .bindNow().onDispose().block()
}

private fun blockingWork(): String {
    Thread.sleep(20)
    return "ok"
}
