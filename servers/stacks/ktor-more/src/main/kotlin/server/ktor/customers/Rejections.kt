package threadgauge.server.ktor.customers

import io.ktor.http.BadContentTypeFormatException
import io.ktor.http.HttpStatusCode
import io.ktor.server.application.createApplicationPlugin
import io.ktor.server.application.createRouteScopedPlugin
import io.ktor.server.application.hooks.CallFailed
import io.ktor.server.plugins.BadRequestException
import io.ktor.server.plugins.PayloadTooLargeException
import io.ktor.server.response.respond
import io.ktor.utils.io.ByteReadChannel
import io.ktor.utils.io.readRemaining
import kotlinx.io.readByteArray
import threadgauge.server.work.Customers

/**
 * Headers that are no media type. Ktor parses them while it matches routes, so only a plugin of the whole application
 * sees the failure.
 */
internal val UnreadableKinds = createApplicationPlugin("UnreadableKinds") {
    on(CallFailed) { call, failure ->
        when {
            failure is BadContentTypeFormatException -> call.respond(HttpStatusCode.UnsupportedMediaType)
            failure is BadRequestException && failure.cause is BadContentTypeFormatException ->
                call.respond(HttpStatusCode.NotAcceptable)
            else -> throw failure
        }
    }
}

/** Bodies that are malformed, or not a customer. */
internal val UnreadableBodies = createRouteScopedPlugin("UnreadableBodies") {
    on(CallFailed) { _, failure -> throw if (failure is BadRequestException) Customers.notACustomer else failure }
}

/** Stands in for Ktor's plugin, ktor-server-body-limit, which does not resolve in any version. */
internal val BodyLimit = createRouteScopedPlugin("BodyLimit") {
    onCallReceive { _ ->
        transformBody { body ->
            val bytes = body.readRemaining(Customers.MAX_BODY_BYTES + 1L).readByteArray()
            if (bytes.size > Customers.MAX_BODY_BYTES) throw PayloadTooLargeException(Customers.MAX_BODY_BYTES.toLong())
            ByteReadChannel(bytes)
        }
    }
}
