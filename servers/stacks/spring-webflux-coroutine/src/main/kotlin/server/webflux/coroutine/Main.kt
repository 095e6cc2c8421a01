package threadgauge.server.webflux.coroutine

import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication
import org.springframework.context.annotation.Import
import threadgauge.server.webflux.MetricsPage
import threadgauge.server.webflux.Problems
import threadgauge.server.webflux.RunningNetty
import threadgauge.server.webflux.Startup

/**
 * Spring WebFlux as Spring Initializr sets it up, with coroutines on the class path. The imported classes belong to the
 * stack without coroutines.
 */
@SpringBootApplication
@Import(MetricsPage::class, RunningNetty::class, Startup::class, Problems::class)
class Main

fun main(arguments: Array<String>) {
    runApplication<Main>(*arguments)
}
