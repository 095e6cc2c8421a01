package threadgauge.server.features

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration
import org.springframework.boot.thymeleaf.autoconfigure.ThymeleafAutoConfiguration
import org.springframework.core.env.MapPropertySource
import org.springframework.core.env.StandardEnvironment
import threadgauge.server.work.Features

class OnlyWhenSwitchedOnTest {
    @Test
    fun `without a feature neither Spring Security nor Thymeleaf is set up, and everything else is`() {
        setUp() shouldBe listOf(false, false, true)
    }

    @Test
    fun `each kind of authentication sets up Spring Security alone, and templates Thymeleaf alone`() {
        listOf(Features.BASIC, Features.JWT, Features.SESSION_LOGIN).forEach { setUp(it) shouldBe listOf(true, false, true) }
        setUp(Features.TEMPLATES) shouldBe listOf(false, true, true)
        setUp(Features.SESSIONS, Features.ERROR_PAGES, Features.HTTPS_REDIRECT) shouldBe listOf(false, false, true)
    }

    private fun setUp(vararg features: String): List<Boolean> {
        val environment = StandardEnvironment()
        environment.propertySources.addFirst(MapPropertySource("arguments", features.associateWith { "true" }))
        val candidates = listOf(SecurityAutoConfiguration::class, ThymeleafAutoConfiguration::class).map { it.qualifiedName } + OTHER
        return OnlyWhenSwitchedOn().apply { setEnvironment(environment) }.match(candidates.toTypedArray(), NO_METADATA).toList()
    }

    private companion object {
        const val OTHER = "org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration"

        /** Not asked. */
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
