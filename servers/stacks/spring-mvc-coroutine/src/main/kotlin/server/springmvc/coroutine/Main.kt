package threadgauge.server.springmvc.coroutine

import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication
import org.springframework.context.annotation.Import
import threadgauge.server.springmvc.EngineProblems
import threadgauge.server.springmvc.MetricsPage
import threadgauge.server.springmvc.Problems
import threadgauge.server.springmvc.QuickStop
import threadgauge.server.springmvc.RunningTomcat
import threadgauge.server.springmvc.Startup

/**
 * Spring MVC as Spring Initializr sets it up, with coroutines on the class path. The imported classes belong to the
 * stack without coroutines.
 */
@SpringBootApplication
@Import(
    MetricsPage::class, RunningTomcat::class, Startup::class, Problems::class, EngineProblems::class, QuickStop::class,
)
class Main

fun main(arguments: Array<String>) {
    runApplication<Main>(*arguments)
}
