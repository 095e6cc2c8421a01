package threadgauge.server.springmvc

import org.apache.catalina.core.StandardHost
import org.apache.catalina.valves.ErrorReportValve
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory
import org.springframework.boot.tomcat.TomcatContextCustomizer
import org.springframework.boot.web.server.WebServerFactoryCustomizer
import org.springframework.core.Ordered
import org.springframework.core.annotation.Order
import org.springframework.stereotype.Component
import threadgauge.server.tomcat.UnreadReports

/** Replaces the error valve of Spring Boot by the shared one, after Spring Boot has added it. */
@Component
@Order(Ordered.LOWEST_PRECEDENCE)
class EngineProblems : WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> {
    override fun customize(factory: ConfigurableTomcatWebServerFactory) = factory.addContextCustomizers(
        TomcatContextCustomizer { context ->
            val host = context.parent as StandardHost
            host.pipeline.valves.filterIsInstance<ErrorReportValve>().forEach(host.pipeline::removeValve)
            host.errorReportValveClass = UnreadReports::class.java.name
        },
    )
}
