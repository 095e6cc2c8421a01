package threadgauge.tickets.service.http

import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import tools.jackson.core.StreamReadFeature

/** Settings of JSON that have no property. */
@Configuration
class JsonConfiguration {
    /**
     * Rejects a body with a repeated member. RFC 8259, section 4, leaves open which of the two counts, so the
     * client and the service could mean different numbers of seats.
     */
    @Bean
    fun uniqueMembers() = JsonMapperBuilderCustomizer { it.enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION) }
}
