package threadgauge.tickets.service.http

import org.springframework.boot.webflux.autoconfigure.ResourceHandlerRegistrationCustomizer
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.http.MediaType

/** The sale's page, and the OpenAPI description. */
@Configuration
class StaticFiles {
    /** The framework does not know the media type of `yaml` (RFC 9512), and would send application/octet-stream. */
    @Bean
    fun describing() = ResourceHandlerRegistrationCustomizer { files ->
        files.setMediaTypes(mapOf("yaml" to MediaType.APPLICATION_YAML))
    }
}
