package threadgauge.server.features

import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata
import org.springframework.context.EnvironmentAware
import org.springframework.core.env.Environment
import threadgauge.server.work.Features

/**
 * Leaves out Spring Security and Thymeleaf where no feature needs them. Left alone, Spring Boot would ask for a password as soon as
 * Spring Security is on the class path. Where they are switched on, everything is as Spring Boot ships it. Named in `spring.factories`.
 */
class OnlyWhenSwitchedOn : AutoConfigurationImportFilter, EnvironmentAware {
    /** Set by Spring Boot's main thread before [match], which it calls too. */
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
        /** Packages of auto-configurations, and the features of which one must be on. */
        val NEEDED_BY = mapOf(
            "org.springframework.boot.security." to listOf(Features.BASIC, Features.JWT, Features.SESSION_LOGIN),
            "org.springframework.boot.thymeleaf." to listOf(Features.TEMPLATES),
        )
    }
}
