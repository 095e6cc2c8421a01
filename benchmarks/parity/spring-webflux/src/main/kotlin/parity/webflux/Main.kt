package threadgauge.parity.webflux

import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RestController
import reactor.core.publisher.Mono

/**
 * Spring WebFlux as "Building a Reactive RESTful Web Service" on spring.io has it, with an annotated handler and a text
 * for an answer.
 */
@SpringBootApplication
@RestController
class Main {
    @GetMapping("/hello")
    fun hello(): Mono<String> = Mono.just("hello")
}

fun main(arguments: Array<String>) {
    runApplication<Main>(*arguments)
}
