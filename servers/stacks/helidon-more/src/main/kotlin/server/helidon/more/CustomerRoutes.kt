package threadgauge.server.helidon.more

import io.helidon.common.media.type.MediaTypes
import io.helidon.http.HeaderNames
import io.helidon.http.Status
import io.helidon.webserver.http.Handler
import io.helidon.webserver.http.HttpRouting
import io.helidon.webserver.http.ServerRequest
import io.helidon.webserver.http.ServerResponse
import threadgauge.server.customers.BodyKind
import threadgauge.server.helidon.methodNotAllowed
import threadgauge.server.helidon.problem
import threadgauge.server.work.Customers
import threadgauge.server.work.Problem

/**
 * Reads and writes a customer. Helidon's media supports have JSON; XML and CBOR are read and written by the handler.
 */
internal fun HttpRouting.Builder.customers() {
    post("/customers", Handler { request, answer -> request.saveCustomer(answer) })
    any("/customers", Handler { _, answer -> answer.methodNotAllowed("POST") })
}

private val kinds = BodyKind.entries.map { MediaTypes.create(it.type) }.toTypedArray()

private fun ServerRequest.saveCustomer(answer: ServerResponse) {
    // Also rejects a header that is no media type.
    val sent = BodyKind.of(headers().first(HeaderNames.CONTENT_TYPE).orElse(null))
        ?: return answer.problem(Problem.unsupportedMediaType)
    val wanted = accepted() ?: return answer.problem(Problem.notAcceptable)
    val body = content().inputStream().readNBytes(Customers.MAX_BODY_BYTES + 1)
    if (body.size > Customers.MAX_BODY_BYTES) return answer.problem(Problem.contentTooLarge)
    val saved = sent.read(body).validated()
    answer.status(Status.CREATED_201)
    answer.header(HeaderNames.CONTENT_TYPE, wanted.type)
    answer.send(wanted.write(saved))
}

private fun ServerRequest.accepted(): BodyKind? =
    BodyKind.of(headers().bestAccepted(*kinds).map { it.text() }.orElse(null))
