package threadgauge.server.vertx.more

import io.vertx.core.buffer.Buffer
import io.vertx.core.http.HttpMethod
import io.vertx.ext.web.Router
import io.vertx.ext.web.RoutingContext
import io.vertx.ext.web.handler.BodyHandler
import io.vertx.kotlin.coroutines.CoroutineRouterSupport
import threadgauge.server.customers.BodyKind
import threadgauge.server.vertx.answer
import threadgauge.server.work.Customers
import threadgauge.server.work.Problem

/**
 * Reads and writes a customer. Vert.x checks the kinds by the route. Its codecs have JSON; XML and CBOR are read and
 * written by the handler.
 */
internal fun CoroutineRouterSupport.customers(router: Router) {
    // Must be first: of several routes that do not match, Vert.x reports the reason of the last.
    val others = router.route("/customers")
    HttpMethod.values().filter { it != HttpMethod.POST }.forEach(others::method)
    others.handler { call ->
        call.response().putHeader("Allow", "POST")
        call.answer(Problem.methodNotAllowed("POST"))
    }
    val save = router.post("/customers")
    BodyKind.entries.forEach { save.consumes(it.type).produces(it.type) }
    save.handler(BodyHandler.create(false).setBodyLimit(Customers.MAX_BODY_BYTES.toLong()))
    save.coHandler { it.saveCustomer() }
    router.errorHandler(413) { it.answer(Problem.contentTooLarge) }
    router.errorHandler(415) { it.answer(Problem.unsupportedMediaType) }
    router.errorHandler(406) { it.answer(Problem.notAcceptable) }
}

private suspend fun RoutingContext.saveCustomer() {
    val sent = checkNotNull(BodyKind.of(request().getHeader("Content-Type")))
    val wanted = BodyKind.of(acceptableContentType) ?: BodyKind.JSON
    val saved = sent.read(body().buffer()?.bytes ?: ByteArray(0)).validated()
    response().setStatusCode(201).putHeader("Content-Type", wanted.type).end(Buffer.buffer(wanted.write(saved)))
}
