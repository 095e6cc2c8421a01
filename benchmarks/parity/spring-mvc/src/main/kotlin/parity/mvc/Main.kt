package threadgauge.parity.mvc

import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RestController

/** Spring MVC as "Building a RESTful Web Service" on spring.io has it, with a text for an answer. */
@SpringBootApplication
@RestController
class Main {
    @GetMapping("/hello")
    fun hello() = "hello"
}

fun main(arguments: Array<String>) {
    runApplication<Main>(*arguments)
}
