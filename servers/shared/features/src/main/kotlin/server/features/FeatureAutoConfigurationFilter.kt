package threadgauge.server.features

import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata
import org.springframework.context.EnvironmentAware
import org.springframework.core.env.Environment
import threadgauge.server.work.Features

/**
 * Leaves out Spring Security and Thymeleaf where no feature needs them. By default Spring Boot requires a password as
 * soon as Spring Security is on the class path. Where they are switched on, everything is as Spring Boot ships it.
 * Registered in `spring.factories`.
 */
class FeatureAutoConfigurationFilter : AutoConfigurationImportFilter, EnvironmentAware {
    /** Set before [match]; both run on Spring Boot's main thread. */
    private lateinit var environment: Environment

    override fun setEnvironment(environment: Environment) {
        this.environment = environment
    }

    override fun match(candidates: Array<out String?>, metadata: AutoConfigurationMetadata): BooleanArray {
        val unwanted = NEEDED_BY.filterValues { features -> features.none(::isOn) }.keys
        return BooleanArray(candidates.size) { index -> unwanted.none { candidates[index]?.startsWith(it) == true } }
    }

    private fun isOn(feature: String) = environment.getProperty(feature).toBoolean()

    private companion object {
        /** Packages of auto-configurations, and the features that need each. */
        val NEEDED_BY = mapOf(
            "org.springframework.boot.security." to listOf(Features.BASIC, Features.JWT, Features.SESSION_LOGIN),
            "org.springframework.boot.thymeleaf." to listOf(Features.TEMPLATES),
        )
    }
}
