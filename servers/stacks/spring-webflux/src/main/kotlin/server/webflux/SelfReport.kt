package threadgauge.server.webflux

import org.springframework.beans.factory.annotation.Value
import org.springframework.boot.SpringBootVersion
import org.springframework.core.SpringVersion
import org.springframework.http.server.reactive.ServerHttpRequest
import org.springframework.stereotype.Component
import reactor.core.scheduler.Schedulers
import threadgauge.server.work.MeasuredPaths
import threadgauge.server.work.Model
import threadgauge.server.work.ServerReport

/** The report for `GET /runtime`. */
@Component
class SelfReport(
    private val netty: RunningNetty,
    private val startup: Startup,
    @param:Value("\${stack.name}") private val stack: String,
) {
    fun now(request: ServerHttpRequest) = ServerReport(
        stack = stack,
        framework = "Spring WebFlux ${SpringVersion.getVersion()}, Spring Boot ${SpringBootVersion.getVersion()}",
        engine = netty.engine,
        model = Model.EVENT_LOOP,
        handlerThread = Thread.currentThread(),
        concurrencyLimits = MeasuredPaths.holding.associateWith { netty.eventLoops(request) } +
            MeasuredPaths.offloaded.associateWith { Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE },
        startupMillis = startup.millis,
        settings = netty.settings(request) +
            ("threads for blocking calls" to Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE.toString()),
    )
}
