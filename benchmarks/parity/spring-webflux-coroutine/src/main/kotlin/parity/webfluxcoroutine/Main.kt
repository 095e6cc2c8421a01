package threadgauge.parity.webfluxcoroutine

import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RestController

/**
 * Spring WebFlux as its guide has it, with a handler that suspends, as the chapter on coroutines of Spring's manual has
 * it.
 */
@SpringBootApplication
@RestController
class Main {
    @GetMapping("/hello")
    suspend fun hello() = "hello"
}

fun main(arguments: Array<String>) {
    runApplication<Main>(*arguments)
}
