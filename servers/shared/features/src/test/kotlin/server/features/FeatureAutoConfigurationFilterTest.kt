package threadgauge.server.features

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration
import org.springframework.boot.thymeleaf.autoconfigure.ThymeleafAutoConfiguration
import org.springframework.core.env.MapPropertySource
import org.springframework.core.env.StandardEnvironment
import threadgauge.server.work.Features

class FeatureAutoConfigurationFilterTest {
    @Test
    fun `without a feature everything is configured but Spring Security and Thymeleaf`() {
        configured() shouldBe listOf(false, false, true)
    }

    @Test
    fun `each kind of authentication adds Spring Security alone, and templates add Thymeleaf alone`() {
        listOf(Features.BASIC, Features.JWT, Features.SESSION_LOGIN)
            .forEach { configured(it) shouldBe listOf(true, false, true) }
        configured(Features.TEMPLATES) shouldBe listOf(false, true, true)
        configured(Features.SESSIONS, Features.ERROR_PAGES, Features.HTTPS_REDIRECT) shouldBe listOf(false, false, true)
    }

    private fun configured(vararg features: String): List<Boolean> {
        val environment = StandardEnvironment()
        environment.propertySources.addFirst(MapPropertySource("arguments", features.associateWith { "true" }))
        val optional = listOf(SecurityAutoConfiguration::class, ThymeleafAutoConfiguration::class)
        val candidates = optional.map { it.qualifiedName } + OTHER
        val filter = FeatureAutoConfigurationFilter().apply { setEnvironment(environment) }
        return filter.match(candidates.toTypedArray(), NO_METADATA).toList()
    }

    private companion object {
        const val OTHER = "org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration"

        /** The filter does not read it. */
        val NO_METADATA = object : AutoConfigurationMetadata {
            override fun wasProcessed(className: String) = false
            override fun getInteger(className: String, key: String) = null
            override fun getInteger(className: String, key: String, unlessSet: Int?) = unlessSet
            override fun getSet(className: String, key: String) = null
            override fun getSet(className: String, key: String, unlessSet: Set<String>?) = unlessSet
            override fun get(className: String, key: String) = null
            override fun get(className: String, key: String, unlessSet: String?) = unlessSet
        }
    }
}
