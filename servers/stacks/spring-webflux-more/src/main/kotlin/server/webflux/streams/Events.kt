package threadgauge.server.webflux.streams

import java.time.Duration
import org.springframework.http.MediaType
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.RestController
import reactor.core.publisher.Flux
import threadgauge.server.work.EventStream

/** A stream is a timer; no thread waits. Each element becomes the data of an event. */
@RestController
class Events {
    @GetMapping("/events/{ms}/{count}", produces = [MediaType.TEXT_EVENT_STREAM_VALUE])
    fun events(@PathVariable ms: String, @PathVariable count: String): Flux<String> {
        val stream = EventStream.parse(ms, count)
        val data = Flux.range(0, stream.count).map { "$it" }
        return if (stream.millis == 0L) data else data.delayElements(Duration.ofMillis(stream.millis))
    }
}
