package threadgauge.server.articles

import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata
import org.springframework.context.EnvironmentAware
import org.springframework.core.env.Environment

/**
 * For the Spring stacks: leaves out the auto-configuration of data sources where no address is given, because Spring
 * Boot would not start without one. With an address, everything is as Spring Boot ships it. Registered in
 * `spring.factories`.
 */
class DatabaseAutoConfigurationFilter : AutoConfigurationImportFilter, EnvironmentAware {
    /** Set before [match]; both run on Spring Boot's main thread. */
    private lateinit var environment: Environment

    override fun setEnvironment(environment: Environment) {
        this.environment = environment
    }

    override fun match(candidates: Array<out String?>, metadata: AutoConfigurationMetadata): BooleanArray {
        val unwanted = ADDRESSES.filterValues { environment.getProperty(it).isNullOrEmpty() }.keys
        return BooleanArray(candidates.size) { index -> unwanted.none { candidates[index]?.startsWith(it) == true } }
    }

    private companion object {
        /** Packages of auto-configurations, and the property that each requires. */
        val ADDRESSES = mapOf(
            "org.springframework.boot.jdbc.autoconfigure." to "spring.datasource.url",
            "org.springframework.boot.r2dbc.autoconfigure." to "spring.r2dbc.url",
        )
    }
}
