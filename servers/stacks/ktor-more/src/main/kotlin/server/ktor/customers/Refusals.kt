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

/** Headers that name no kind at all. Ktor meets them while it looks for the route, so only the whole application hears of it. */
internal val UnreadableKinds = createApplicationPlugin("UnreadableKinds") {
    on(CallFailed) { call, failure ->
        when {
            failure is BadContentTypeFormatException -> call.respond(HttpStatusCode.UnsupportedMediaType)
            failure is BadRequestException && failure.cause is BadContentTypeFormatException -> call.respond(HttpStatusCode.NotAcceptable)
            else -> throw failure
        }
    }
}

/** Bodies that are not what their kind says, or hold no customer. */
internal val UnreadableBodies = createRouteScopedPlugin("UnreadableBodies") {
    on(CallFailed) { _, failure -> throw if (failure is BadRequestException) Customers.notACustomer else failure }
}

/** Ktor's own plugin for this, ktor-server-body-limit, cannot be had in any version. */
internal val BodyLimit = createRouteScopedPlugin("BodyLimit") {
    onCallReceive { _ ->
        transformBody { body ->
            val bytes = body.readRemaining(Customers.MAX_BODY_BYTES + 1L).readByteArray()
            if (bytes.size > Customers.MAX_BODY_BYTES) throw PayloadTooLargeException(Customers.MAX_BODY_BYTES.toLong())
            ByteReadChannel(bytes)
        }
    }
}
