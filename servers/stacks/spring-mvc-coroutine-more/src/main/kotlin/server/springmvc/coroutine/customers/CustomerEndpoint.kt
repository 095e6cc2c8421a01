package threadgauge.server.springmvc.coroutine.customers

import org.springframework.context.annotation.Import
import org.springframework.http.HttpStatus
import org.springframework.http.MediaType
import org.springframework.web.bind.annotation.PostMapping
import org.springframework.web.bind.annotation.RequestBody
import org.springframework.web.bind.annotation.ResponseStatus
import org.springframework.web.bind.annotation.RestController
import threadgauge.server.customers.NewCustomer
import threadgauge.server.customers.StrictRootNames
import threadgauge.server.customers.SavedCustomer

/** Reads and writes a customer. Spring has read the body, and waited for it, before the handler begins. */
@RestController
@Import(StrictRootNames::class)
class CustomerEndpoint {
    @PostMapping(
        "/customers",
        consumes = [MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_XML_VALUE, MediaType.APPLICATION_CBOR_VALUE],
        produces = [MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_XML_VALUE, MediaType.APPLICATION_CBOR_VALUE],
    )
    @ResponseStatus(HttpStatus.CREATED)
    suspend fun save(@RequestBody customer: NewCustomer): SavedCustomer = customer.validated()
}
