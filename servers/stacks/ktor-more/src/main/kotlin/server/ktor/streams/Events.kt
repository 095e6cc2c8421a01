package threadgauge.server.ktor.streams

import io.ktor.http.ContentType
import io.ktor.server.application.Application
import io.ktor.server.response.respondBytesWriter
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import io.ktor.server.util.getOrFail
import io.ktor.utils.io.writeStringUtf8
import kotlinx.coroutines.delay
import threadgauge.server.work.EventStream

/** A stream is a coroutine, which suspends between events. Named in `application.conf`. */
fun Application.events() = routing {
    get("/events/{ms}/{count}") {
        val stream = EventStream.parse(call.pathParameters.getOrFail("ms"), call.pathParameters.getOrFail("count"))
        call.respondBytesWriter(ContentType.Text.EventStream) {
            repeat(stream.count) { number ->
                delay(stream.millis)
                writeStringUtf8(EventStream.event(number))
                flush()
            }
        }
    }
}
