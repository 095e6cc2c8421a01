package threadgauge.server.webflux.customers

import org.reactivestreams.Publisher
import org.springframework.boot.http.codec.CodecCustomizer
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.context.annotation.Import
import org.springframework.core.ResolvableType
import org.springframework.core.io.buffer.DataBuffer
import org.springframework.core.io.buffer.DataBufferFactory
import org.springframework.http.codec.cbor.JacksonCborDecoder
import org.springframework.http.codec.cbor.JacksonCborEncoder
import org.springframework.http.codec.xml.JacksonXmlDecoder
import org.springframework.http.codec.xml.JacksonXmlEncoder
import org.springframework.util.MimeType
import reactor.core.publisher.Flux
import threadgauge.server.customers.StrictRootNames
import threadgauge.server.work.Customers
import tools.jackson.dataformat.cbor.CBORMapper
import tools.jackson.dataformat.xml.XmlMapper

/**
 * Codecs for XML and CBOR. WebFlux has codecs for both, but Spring Boot gives them no mapper, and they cannot write
 * (Spring 7.0.9): they support only single values, and WebFlux asks for a stream even for one value.
 */
@Configuration
@Import(StrictRootNames::class)
class CustomerCodecs {
    @Bean
    fun codecs(xml: XmlMapper, cbor: CBORMapper) = CodecCustomizer { all ->
        all.defaultCodecs().apply {
            jacksonXmlDecoder(JacksonXmlDecoder(xml))
            jacksonXmlEncoder(XmlEncoder(xml))
            jacksonCborDecoder(JacksonCborDecoder(cbor))
            jacksonCborEncoder(CborEncoder(cbor))
            // Spring Boot has a property for it, but then the number would be in two places.
            maxInMemorySize(Customers.MAX_BODY_BYTES)
        }
    }
}

private class XmlEncoder(mapper: XmlMapper) : JacksonXmlEncoder(mapper) {
    override fun encode(
        values: Publisher<*>,
        buffers: DataBufferFactory,
        elementType: ResolvableType,
        type: MimeType?,
        hints: Map<String, Any>?,
    ): Flux<DataBuffer> = Flux.from(values).map { encodeValue(it!!, buffers, elementType, type, hints) }
}

private class CborEncoder(mapper: CBORMapper) : JacksonCborEncoder(mapper) {
    override fun encode(
        values: Publisher<*>,
        buffers: DataBufferFactory,
        elementType: ResolvableType,
        type: MimeType?,
        hints: Map<String, Any>?,
    ): Flux<DataBuffer> = Flux.from(values).map { encodeValue(it!!, buffers, elementType, type, hints) }
}
