package threadgauge.server.springmvc

import org.springframework.beans.factory.annotation.Value
import org.springframework.boot.SpringBootVersion
import org.springframework.core.SpringVersion
import org.springframework.stereotype.Component
import threadgauge.server.work.MeasuredPaths
import threadgauge.server.work.Model
import threadgauge.server.work.ServerReport

/** The report for `GET /runtime`. Limits and settings are read from the running Tomcat. */
@Component
class SelfReport(
    private val tomcat: RunningTomcat,
    private val startup: Startup,
    @param:Value("\${stack.name}") private val stack: String,
    @param:Value("\${spring.threads.virtual.enabled:false}") private val virtual: Boolean,
) {
    fun now() = ServerReport(
        stack = stack,
        framework = "Spring MVC ${SpringVersion.getVersion()}, Spring Boot ${SpringBootVersion.getVersion()}",
        engine = tomcat.engine,
        model = if (virtual) Model.VIRTUAL_THREADS else Model.PLATFORM_THREADS,
        handlerThread = Thread.currentThread(),
        concurrencyLimits = if (virtual) emptyMap() else MeasuredPaths.all.associateWith { tomcat.threadsMax },
        startupMillis = startup.millis,
        settings = if (virtual) tomcat.settings + noPool else tomcat.settings,
        maxConnections = tomcat.maxConnections,
    )

    private companion object {
        /** With virtual threads Tomcat still reports its pool, but does not use it. */
        val noPool = mapOf("threads max" to "unlimited", "threads min spare" to "none")
    }
}
