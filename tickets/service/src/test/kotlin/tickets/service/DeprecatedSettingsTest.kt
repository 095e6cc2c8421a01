package threadgauge.tickets.service

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.time.Duration
import org.apache.commons.logging.LogFactory
import org.junit.jupiter.api.Test
import org.springframework.boot.SpringApplication
import org.springframework.boot.context.properties.bind.Binder
import org.springframework.boot.context.properties.source.ConfigurationPropertySources
import org.springframework.boot.logging.DeferredLogFactory
import org.springframework.core.env.MapPropertySource
import org.springframework.core.env.StandardEnvironment
import org.springframework.core.env.SystemEnvironmentPropertySource

class DeprecatedSettingsTest {
    @Test
    fun `old names work as arguments and as environment variables, and are reported with the new ones`() {
        val environment = environment(
            arguments = mapOf("tickets.queue.most" to "7", "tickets.request-within" to "3s"),
            variables = mapOf("TICKETS_QUEUE_PATIENCE" to "2s", "TICKETS_DATABASE_DESKCONNECTIONS" to "6"),
        )
        val hints = findDeprecated(Binder.get(environment)).map { it.hint }
        hints shouldHaveSize 4
        hints[0] shouldBe "the setting tickets.queue.most is now called tickets.queue.max " +
            "(TICKETS_QUEUE_MOST is TICKETS_QUEUE_MAX); the old name works until version 0.3"
        hints[2] shouldContain "TICKETS_DATABASE_DESKCONNECTIONS is TICKETS_DATABASE_EVENTCONNECTIONS"
        val settings = read(environment)
        settings.queue shouldBe Settings.Queue(max = 7, timeout = Duration.ofSeconds(2))
        settings.requestTimeout shouldBe Duration.ofSeconds(3)
        settings.database.eventConnections shouldBe 6
    }

    @Test
    fun `a new name counts wherever it is set`() {
        val environment = environment(
            arguments = mapOf("tickets.queue.most" to "7"), variables = mapOf("TICKETS_QUEUE_MAX" to "8"),
        )
        findDeprecated(Binder.get(environment)).single().hint shouldContain "both are set, and tickets.queue.max counts"
        read(environment).queue.max shouldBe 8
    }

    @Test
    fun `without old names nothing is reported or changed`() {
        val environment = environment(variables = mapOf("TICKETS_QUEUE_MAX" to "8"))
        findDeprecated(Binder.get(environment)).shouldBeEmpty()
        val before = environment.propertySources.map { it.name }
        read(environment).queue.max shouldBe 8
        environment.propertySources.map { it.name } shouldContainExactly before
    }

    private fun environment(arguments: Map<String, Any> = emptyMap(), variables: Map<String, Any> = emptyMap()) =
        StandardEnvironment().apply {
            val database = mapOf("url" to "", "user" to "", "password" to "").mapKeys { "tickets.database.${it.key}" }
            propertySources.addFirst(SystemEnvironmentPropertySource("systemEnvironment", variables))
            propertySources.addFirst(MapPropertySource("arguments", arguments + database))
            ConfigurationPropertySources.attach(this)
        }

    private fun read(environment: StandardEnvironment): Settings {
        val logs = DeferredLogFactory { LogFactory.getLog(DeprecatedSettingsTest::class.java) }
        DeprecatedSettings(logs).postProcessEnvironment(environment, SpringApplication())
        return Binder.get(environment).bind("tickets", Settings::class.java).get()
    }
}
