package threadgauge.server.springmvc

import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication

/**
 * Spring MVC as Spring Initializr sets it up. With `spring.threads.virtual.enabled` it is the stack
 * `spring-mvc-virtual`.
 */
@SpringBootApplication
class Main

fun main(arguments: Array<String>) {
    runApplication<Main>(*arguments)
}
