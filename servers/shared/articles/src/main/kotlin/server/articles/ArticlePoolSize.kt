package threadgauge.server.articles

import org.springframework.boot.EnvironmentPostProcessor
import org.springframework.boot.SpringApplication
import org.springframework.core.env.ConfigurableEnvironment
import org.springframework.core.env.MapPropertySource

/**
 * For the Spring stacks: sets [POOL_SIZE] as a default of Spring Boot, which arguments override. Registered in
 * `spring.factories`.
 */
class ArticlePoolSize : EnvironmentPostProcessor {
    override fun postProcessEnvironment(environment: ConfigurableEnvironment, application: SpringApplication) {
        val names = listOf("spring.datasource.hikari.maximum-pool-size", "spring.r2dbc.pool.max-size")
        environment.propertySources.addLast(MapPropertySource("pool of articles", names.associateWith { POOL_SIZE }))
    }
}
