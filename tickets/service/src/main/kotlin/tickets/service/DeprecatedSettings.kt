package threadgauge.tickets.service

import org.springframework.boot.EnvironmentPostProcessor
import org.springframework.boot.SpringApplication
import org.springframework.boot.context.properties.bind.Binder
import org.springframework.boot.logging.DeferredLogFactory
import org.springframework.core.Ordered
import org.springframework.core.env.ConfigurableEnvironment
import org.springframework.core.env.MapPropertySource

/**
 * Accepts the names that settings had before version 0.2, and logs a hint for each. If a setting has both names, the
 * new one counts. Version 0.3 ignores the old names. Registered in `spring.factories`.
 */
class DeprecatedSettings(logs: DeferredLogFactory) : EnvironmentPostProcessor, Ordered {
    private val log = logs.getLog(DeprecatedSettings::class.java)

    override fun postProcessEnvironment(environment: ConfigurableEnvironment, application: SpringApplication) {
        val found = findDeprecated(Binder.get(environment))
        found.forEach { log.warn(it.hint) }
        val values = found.filter { it.isUsed }.associate { it.name to it.value }
        // The lowest precedence, so a new name counts wherever it is set.
        if (values.isNotEmpty()) environment.propertySources.addLast(MapPropertySource("deprecatedSettings", values))
    }

    /** After all others, so that arguments, environment and configuration files have been read. */
    override fun getOrder() = Ordered.LOWEST_PRECEDENCE
}

/** A setting under its old name. [isUsed]: the new name is not set as well. */
internal class DeprecatedSetting(private val oldName: String, val name: String, val value: Any, val isUsed: Boolean) {
    val hint: String
        get() {
            val names = "the setting $oldName is now called $name (${variable(oldName)} is ${variable(name)})"
            val effect = if (isUsed) "the old name works until version 0.3" else "both are set, and $name counts"
            return "$names; $effect"
        }

    /** The name of the environment variable: Spring Boot removes dashes and writes dots as underscores. */
    private fun variable(name: String) = name.replace("-", "").replace('.', '_').uppercase()
}

internal fun findDeprecated(binder: Binder): List<DeprecatedSetting> = NEW_NAMES.mapNotNull { (old, new) ->
    val value = binder.bind(old, Any::class.java).orElse(null) ?: return@mapNotNull null
    DeprecatedSetting(old, new, value, isUsed = !binder.bind(new, Any::class.java).isBound)
}

private val NEW_NAMES = mapOf(
    "tickets.queue.most" to "tickets.queue.max",
    "tickets.queue.patience" to "tickets.queue.timeout",
    "tickets.database.desk-connections" to "tickets.database.event-connections",
    "tickets.request-within" to "tickets.request-timeout",
)
