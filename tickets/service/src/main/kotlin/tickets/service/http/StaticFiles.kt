package threadgauge.tickets.service.http

import org.springframework.boot.webflux.autoconfigure.ResourceHandlerRegistrationCustomizer
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.http.MediaType

/** The page of the sale, and the description of its API. */
@Configuration
class StaticFiles {
    /** The framework does not know what ends in `yaml` (RFC 9512), and would call the description any bytes. */
    @Bean
    fun describing() = ResourceHandlerRegistrationCustomizer { files ->
        files.setMediaTypes(mapOf("yaml" to MediaType.APPLICATION_YAML))
    }
}
