package threadgauge.server.springmvc.coroutine

import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
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
 * Spring MVC calls a suspending handler on Tomcat's thread, without a dispatcher (`Dispatchers.Unconfined`). The
 * handler holds that thread until its first suspension. Then the thread is free: the servlet's asynchronous mode keeps
 * the request, and any free thread of Tomcat writes the answer.
 */
@RestController
class Endpoints(private val selfReport: SelfReport) {
    @GetMapping("/hello", produces = [TEXT])
    suspend fun hello(): String = HELLO

    @GetMapping("/delay/{ms}", produces = [TEXT])
    suspend fun delay(@PathVariable ms: String): String {
        val millis = millisOf(ms)
        kotlinx.coroutines.delay(millis)
        return waited(millis)
    }

    /** The mistake: nothing has suspended yet, so it blocks one of Tomcat's threads. */
    @GetMapping("/block/{ms}", produces = [TEXT])
    suspend fun block(@PathVariable ms: String): String {
        val millis = millisOf(ms)
        blockThread(millis)
        return blocked(millis)
    }

    @GetMapping("/offload/{ms}", produces = [TEXT])
    suspend fun offload(@PathVariable ms: String): String {
        val millis = millisOf(ms)
        withContext(Dispatchers.IO) { blockThread(millis) }
        return offloaded(millis)
    }

    @GetMapping("/api/random/string/{length}", produces = [TEXT])
    suspend fun random(@PathVariable length: String): String = randomString(lengthOf(length))

    @GetMapping("/runtime", produces = [MediaType.APPLICATION_JSON_VALUE])
    suspend fun runtime(): String = selfReport.now().json
}
