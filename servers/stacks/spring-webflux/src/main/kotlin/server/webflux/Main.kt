package threadgauge.server.webflux

import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication

/** Spring WebFlux as Spring Initializr sets it up. */
@SpringBootApplication
class Main

fun main(arguments: Array<String>) {
    runApplication<Main>(*arguments)
}
