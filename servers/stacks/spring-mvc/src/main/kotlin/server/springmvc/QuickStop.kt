package threadgauge.server.springmvc

import org.apache.catalina.core.StandardContext
import org.springframework.boot.tomcat.TomcatContextCustomizer
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration

/**
 * Tomcat gives a servlet two more seconds when requests are still inside it after Spring Boot's own grace has passed,
 * which on virtual threads they are. No property says otherwise. Concerns the end of the process only.
 */
@Configuration
class QuickStop {
    @Bean
    fun noGraceAfterGrace() = TomcatContextCustomizer { context -> (context as StandardContext).unloadDelay = MILLIS }

    private companion object {
        /** Tomcat waits in twenty parts of this. Not zero: it would wait for ever, in parts of zero. */
        const val MILLIS = 100L
    }
}
