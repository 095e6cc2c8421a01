package threadgauge.server.webflux.coroutine

import kotlinx.coroutines.delay
import org.springframework.beans.factory.annotation.Value
import org.springframework.boot.SpringBootVersion
import org.springframework.core.SpringVersion
import org.springframework.http.server.reactive.ServerHttpRequest
import org.springframework.stereotype.Component
import threadgauge.server.webflux.RunningNetty
import threadgauge.server.webflux.Startup
import threadgauge.server.work.MeasuredPaths
import threadgauge.server.work.Model
import threadgauge.server.work.ServerReport
import threadgauge.server.work.ioDispatcherThreads

/**
 * The report for `GET /runtime`. The handler's thread is the one on which it begins. A wait of a millisecond shows on
 * which thread it resumes, which is reported as a setting: one thread for all requests, not the event loop.
 */
@Component
class SelfReport(
    private val netty: RunningNetty,
    private val startup: Startup,
    @param:Value("\${stack.name}") private val stack: String,
) {
    suspend fun now(request: ServerHttpRequest): ServerReport {
        val beganOn = Thread.currentThread()
        // Twice: the first wait of a process loads classes, and may end before the handler has left its thread.
        repeat(2) { delay(1) }
        return ServerReport(
            stack = stack,
            framework = "Spring WebFlux ${SpringVersion.getVersion()} with coroutines, " +
                "Spring Boot ${SpringBootVersion.getVersion()}",
            engine = netty.engine,
            model = Model.COROUTINES,
            handlerThread = beganOn,
            concurrencyLimits = MeasuredPaths.holding.associateWith { netty.eventLoops(request) } +
                MeasuredPaths.offloaded.associateWith { ioDispatcherThreads },
            startupMillis = startup.millis,
            settings = netty.settings(request) + mapOf(
                "threads for blocking calls" to ioDispatcherThreads.toString(),
                "thread after a wait" to Thread.currentThread().name,
            ),
        )
    }
}
