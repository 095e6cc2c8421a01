package threadgauge.server.webflux.customers

import org.springframework.http.HttpHeaders
import org.springframework.http.HttpStatus
import org.springframework.http.MediaType.APPLICATION_CBOR_VALUE
import org.springframework.http.MediaType.APPLICATION_JSON_VALUE
import org.springframework.http.MediaType.APPLICATION_XML_VALUE
import org.springframework.web.bind.annotation.PostMapping
import org.springframework.web.bind.annotation.RequestBody
import org.springframework.web.bind.annotation.RequestHeader
import org.springframework.web.bind.annotation.ResponseStatus
import org.springframework.web.bind.annotation.RestController
import org.springframework.web.server.ContentTooLargeException
import reactor.core.publisher.Mono
import threadgauge.server.customers.NewCustomer
import threadgauge.server.customers.SavedCustomer
import threadgauge.server.work.Customers

/** Reads and writes a customer. */
@RestController
class CustomerEndpoint {
    @PostMapping(
        "/customers",
        consumes = [APPLICATION_JSON_VALUE, APPLICATION_XML_VALUE, APPLICATION_CBOR_VALUE],
        produces = [APPLICATION_JSON_VALUE, APPLICATION_XML_VALUE, APPLICATION_CBOR_VALUE],
    )
    @ResponseStatus(HttpStatus.CREATED)
    fun save(
        @RequestBody customer: Mono<NewCustomer>,
        @RequestHeader(HttpHeaders.CONTENT_LENGTH, required = false) length: Long?,
    ): Mono<SavedCustomer> {
        // The codecs would reject it too, but then Netty logs that a buffer was released twice.
        if (length != null && length > Customers.MAX_BODY_BYTES) return Mono.error(ContentTooLargeException(null))
        return customer.map { it.validated() }
    }
}
