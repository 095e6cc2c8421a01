package threadgauge.server.springmvc.coroutine.customers

import org.springframework.context.annotation.Import
import org.springframework.http.HttpStatus
import org.springframework.http.MediaType.APPLICATION_CBOR_VALUE
import org.springframework.http.MediaType.APPLICATION_JSON_VALUE
import org.springframework.http.MediaType.APPLICATION_XML_VALUE
import org.springframework.web.bind.annotation.PostMapping
import org.springframework.web.bind.annotation.RequestBody
import org.springframework.web.bind.annotation.ResponseStatus
import org.springframework.web.bind.annotation.RestController
import threadgauge.server.customers.NewCustomer
import threadgauge.server.customers.SavedCustomer
import threadgauge.server.customers.StrictRootNames

/** Reads and writes a customer. Spring reads the whole body before the handler begins. */
@RestController
@Import(StrictRootNames::class)
class CustomerEndpoint {
    @PostMapping(
        "/customers",
        consumes = [APPLICATION_JSON_VALUE, APPLICATION_XML_VALUE, APPLICATION_CBOR_VALUE],
        produces = [APPLICATION_JSON_VALUE, APPLICATION_XML_VALUE, APPLICATION_CBOR_VALUE],
    )
    @ResponseStatus(HttpStatus.CREATED)
    suspend fun save(@RequestBody customer: NewCustomer): SavedCustomer = customer.validated()
}
