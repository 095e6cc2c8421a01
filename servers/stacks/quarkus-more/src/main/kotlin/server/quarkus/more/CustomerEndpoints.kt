package threadgauge.server.quarkus.more

import io.quarkus.arc.properties.IfBuildProperty
import io.smallrye.common.annotation.NonBlocking
import io.smallrye.common.annotation.RunOnVirtualThread
import jakarta.ws.rs.Consumes
import jakarta.ws.rs.NotAcceptableException
import jakarta.ws.rs.NotSupportedException
import jakarta.ws.rs.POST
import jakarta.ws.rs.Path
import jakarta.ws.rs.core.Context
import jakarta.ws.rs.core.HttpHeaders
import jakarta.ws.rs.core.MediaType
import jakarta.ws.rs.core.Request
import jakarta.ws.rs.core.Variant
import org.jboss.resteasy.reactive.RestResponse
import threadgauge.server.customers.BodyKind
import threadgauge.server.quarkus.answer
import threadgauge.server.work.Customers
import threadgauge.server.work.Problem

/**
 * Reads and writes a customer. Quarkus has no CBOR, so the handler reads and writes all kinds. Reading does not block.
 */
@Path("/customers")
@NonBlocking
@IfBuildProperty(name = "stack.threads", stringValue = "loops", enableIfMissing = true)
class LoopCustomers {
    @POST
    @Consumes("application/json", "application/xml", "application/cbor")
    fun save(body: ByteArray, @Context headers: HttpHeaders, @Context request: Request): RestResponse<*> =
        saved(body, headers, request)
}

@Path("/customers")
@RunOnVirtualThread
@IfBuildProperty(name = "stack.threads", stringValue = "virtual")
class VirtualCustomers {
    @POST
    @Consumes("application/json", "application/xml", "application/cbor")
    fun save(body: ByteArray, @Context headers: HttpHeaders, @Context request: Request): RestResponse<*> =
        saved(body, headers, request)
}

private val variants = BodyKind.entries.map { Variant(MediaType.valueOf(it.type), null as String?, null) }

private fun saved(body: ByteArray, headers: HttpHeaders, request: Request): RestResponse<*> {
    // Quarkus accepts a body without a kind.
    val sent = BodyKind.of(headers.mediaType?.toString()) ?: throw NotSupportedException()
    val wanted = BodyKind.of(request.selectVariant(variants)?.mediaType?.toString()) ?: throw NotAcceptableException()
    if (body.size > Customers.MAX_BODY_BYTES) return answer(Problem.contentTooLarge).build()
    val saved = sent.read(body).validated()
    return RestResponse.ResponseBuilder.create<ByteArray>(RestResponse.Status.CREATED)
        .type(wanted.type).entity(wanted.write(saved)).build()
}
