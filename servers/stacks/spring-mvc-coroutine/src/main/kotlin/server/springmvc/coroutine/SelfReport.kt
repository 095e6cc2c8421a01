package threadgauge.server.springmvc.coroutine

import kotlinx.coroutines.delay
import org.springframework.beans.factory.annotation.Value
import org.springframework.boot.SpringBootVersion
import org.springframework.boot.webmvc.autoconfigure.WebMvcProperties
import org.springframework.core.SpringVersion
import org.springframework.stereotype.Component
import threadgauge.server.springmvc.RunningTomcat
import threadgauge.server.springmvc.Startup
import threadgauge.server.work.MeasuredPaths
import threadgauge.server.work.Model
import threadgauge.server.work.ServerReport
import threadgauge.server.work.ioDispatcherThreads

/**
 * The report for `GET /runtime`. The handler's thread is the one on which it begins. A wait of a millisecond shows on
 * which thread it resumes, which is reported as a setting: one thread for all requests, not Tomcat's.
 */
@Component
class SelfReport(
    private val tomcat: RunningTomcat,
    private val startup: Startup,
    private val mvc: WebMvcProperties,
    @param:Value("\${stack.name}") private val stack: String,
) {
    suspend fun now(): ServerReport {
        val beganOn = Thread.currentThread()
        // Twice: the first wait of a process loads classes, and may end before the handler has left its thread.
        repeat(2) { delay(1) }
        return ServerReport(
            stack = stack,
            framework = "Spring MVC ${SpringVersion.getVersion()} with coroutines, " +
                "Spring Boot ${SpringBootVersion.getVersion()}",
            engine = tomcat.engine,
            model = Model.COROUTINES,
            handlerThread = beganOn,
            concurrencyLimits = MeasuredPaths.holding.associateWith { tomcat.threadsMax } +
                MeasuredPaths.offloaded.associateWith { ioDispatcherThreads },
            maxConnections = tomcat.maxConnections,
            startupMillis = startup.millis,
            settings = tomcat.settings + mapOf(
                "threads for blocking calls" to ioDispatcherThreads.toString(),
                "thread after a wait" to Thread.currentThread().name,
                "request that waits given up after" to "${mvc.async.requestTimeout?.toMillis()} ms",
            ),
        )
    }
}
