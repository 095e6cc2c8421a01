package threadgauge.server.springmvc.streams

import jakarta.servlet.http.HttpServletResponse
import org.springframework.http.MediaType
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.RestController
import threadgauge.server.work.EventStream
import threadgauge.server.work.blockThread

/** A stream has the thread of its request until it ends: a platform thread of the pool, or a virtual one. */
@RestController
class Events {
    @GetMapping("/events/{ms}/{count}")
    fun events(@PathVariable ms: String, @PathVariable count: String, response: HttpServletResponse) {
        val stream = EventStream.parse(ms, count)
        response.contentType = MediaType.TEXT_EVENT_STREAM_VALUE
        for (number in 0 until stream.count) {
            blockThread(stream.millis)
            response.outputStream.write(EventStream.event(number).toByteArray())
            response.flushBuffer()
        }
    }
}
