package threadgauge.server.springmvc

import org.springframework.boot.context.event.ApplicationReadyEvent
import org.springframework.context.event.EventListener
import org.springframework.stereotype.Component

/** Time to start, as Spring Boot reports it. Also used by `spring-mvc-coroutine`. */
@Component
class Startup {
    /** Written once by the main thread when the server is ready, read by handlers. */
    @Volatile
    private var taken: Double? = null

    val millis: Double? get() = taken

    @EventListener
    fun ready(event: ApplicationReadyEvent) {
        taken = event.timeTaken?.let { it.toNanos() / 1e6 }
    }
}
