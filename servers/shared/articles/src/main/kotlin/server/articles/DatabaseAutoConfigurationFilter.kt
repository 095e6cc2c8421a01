package threadgauge.server.articles

import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata
import org.springframework.context.EnvironmentAware
import org.springframework.core.env.Environment

/**
 * For the Spring stacks: leaves out the data source where no address is given. Left alone, Spring Boot would not start
 * without one. Where there is an address, everything is as Spring Boot ships it. Named in `spring.factories`.
 */
class OnlyWithAddress : AutoConfigurationImportFilter, EnvironmentAware {
    /** Set by Spring Boot's main thread before [match], which it calls too. */
    private lateinit var environment: Environment

    override fun setEnvironment(environment: Environment) {
        this.environment = environment
    }

    override fun match(candidates: Array<out String?>, metadata: AutoConfigurationMetadata): BooleanArray {
        val unwanted = ADDRESSES.filterValues { environment.getProperty(it).isNullOrEmpty() }.keys
        return BooleanArray(candidates.size) { index -> unwanted.none { candidates[index]?.startsWith(it) == true } }
    }

    private companion object {
        /** Packages of auto-configurations, and the property that each cannot do without. */
        val ADDRESSES = mapOf(
            "org.springframework.boot.jdbc.autoconfigure." to "spring.datasource.url",
            "org.springframework.boot.r2dbc.autoconfigure." to "spring.r2dbc.url",
        )
    }
}
