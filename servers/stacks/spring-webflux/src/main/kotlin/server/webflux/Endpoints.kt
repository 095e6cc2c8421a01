package threadgauge.server.webflux

import java.time.Duration
import org.springframework.http.MediaType
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.RestController
import org.springframework.web.server.ServerWebExchange
import reactor.core.publisher.Mono
import reactor.core.scheduler.Schedulers
import threadgauge.server.work.HELLO
import threadgauge.server.work.blockThread
import threadgauge.server.work.blocked
import threadgauge.server.work.lengthOf
import threadgauge.server.work.millisOf
import threadgauge.server.work.offloaded
import threadgauge.server.work.randomString
import threadgauge.server.work.waited

private const val TEXT = "text/plain;charset=UTF-8"

/**
 * Handlers run on the event loops, so a wait is a timer, and a blocking call runs on Reactor's bounded elastic pool.
 */
@RestController
class Endpoints(private val selfReport: SelfReport) {
    @GetMapping("/hello", produces = [TEXT])
    fun hello(): Mono<String> = Mono.just(HELLO)

    @GetMapping("/delay/{ms}", produces = [TEXT])
    fun delay(@PathVariable ms: String): Mono<String> {
        val millis = millisOf(ms)
        return Mono.delay(Duration.ofMillis(millis)).map { waited(millis) }
    }

    /** The mistake: it blocks the event loop, and with it every connection that it serves. */
    @GetMapping("/block/{ms}", produces = [TEXT])
    fun block(@PathVariable ms: String): Mono<String> {
        val millis = millisOf(ms)
        return Mono.fromCallable { blockThread(millis) }.thenReturn(blocked(millis))
    }

    /** The same call as Reactor's manual recommends in "How Do I Wrap a Synchronous, Blocking Call?" */
    @GetMapping("/offload/{ms}", produces = [TEXT])
    fun offload(@PathVariable ms: String): Mono<String> {
        val millis = millisOf(ms)
        return Mono.fromCallable { blockThread(millis) }.subscribeOn(Schedulers.boundedElastic())
            .thenReturn(offloaded(millis))
    }

    @GetMapping("/api/random/string/{length}", produces = [TEXT])
    fun random(@PathVariable length: String): Mono<String> =
        lengthOf(length).let { Mono.fromCallable { randomString(it) } }

    @GetMapping("/runtime", produces = [MediaType.APPLICATION_JSON_VALUE])
    fun runtime(exchange: ServerWebExchange): Mono<String> =
        Mono.fromCallable { selfReport.now(exchange.request).json }
}
