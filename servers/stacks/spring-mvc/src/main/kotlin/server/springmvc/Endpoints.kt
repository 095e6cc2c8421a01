package threadgauge.server.springmvc

import org.springframework.http.MediaType
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.RestController
import threadgauge.server.work.HELLO
import threadgauge.server.work.blockThread
import threadgauge.server.work.blocked
import threadgauge.server.work.lengthOf
import threadgauge.server.work.millisOf
import threadgauge.server.work.offloaded
import threadgauge.server.work.randomString
import threadgauge.server.work.waited

private const val TEXT = "text/plain;charset=UTF-8"

/**
 * Each request has a thread, so a handler waits by blocking it. No other thread is better for a blocking call, so
 * `/delay`, `/block` and `/offload` do the same here.
 */
@RestController
class Endpoints(private val selfReport: SelfReport) {
    @GetMapping("/hello", produces = [TEXT])
    fun hello(): String = HELLO

    @GetMapping("/delay/{ms}", produces = [TEXT])
    fun delay(@PathVariable ms: String): String {
        val millis = millisOf(ms)
        blockThread(millis)
        return waited(millis)
    }

    @GetMapping("/block/{ms}", produces = [TEXT])
    fun block(@PathVariable ms: String): String {
        val millis = millisOf(ms)
        blockThread(millis)
        return blocked(millis)
    }

    @GetMapping("/offload/{ms}", produces = [TEXT])
    fun offload(@PathVariable ms: String): String {
        val millis = millisOf(ms)
        blockThread(millis)
        return offloaded(millis)
    }

    @GetMapping("/api/random/string/{length}", produces = [TEXT])
    fun random(@PathVariable length: String): String = randomString(lengthOf(length))

    @GetMapping("/runtime", produces = [MediaType.APPLICATION_JSON_VALUE])
    fun runtime(): String = selfReport.now().json
}
