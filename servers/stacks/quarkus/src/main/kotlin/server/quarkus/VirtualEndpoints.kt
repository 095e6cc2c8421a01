package threadgauge.server.quarkus

import io.quarkus.arc.properties.IfBuildProperty
import io.smallrye.common.annotation.RunOnVirtualThread
import io.vertx.core.http.HttpServerRequest
import jakarta.ws.rs.GET
import jakarta.ws.rs.Path
import jakarta.ws.rs.Produces
import jakarta.ws.rs.core.Context
import jakarta.ws.rs.core.MediaType
import org.jboss.resteasy.reactive.RestPath
import threadgauge.server.work.HELLO
import threadgauge.server.work.Model
import threadgauge.server.work.blockThread
import threadgauge.server.work.blocked
import threadgauge.server.work.lengthOf
import threadgauge.server.work.millisOf
import threadgauge.server.work.offloaded
import threadgauge.server.work.randomString
import threadgauge.server.work.waited

/**
 * The event loop hands each request to a virtual thread, so a handler waits by blocking it. No other thread is better
 * for a blocking call, so `/delay`, `/block` and `/offload` do the same here.
 */
@Path("/")
@Produces(TEXT)
@RunOnVirtualThread
@IfBuildProperty(name = "stack.threads", stringValue = "virtual")
class VirtualEndpoints(private val selfReport: SelfReport) {
    @GET
    @Path("hello")
    fun hello(): String = HELLO

    @GET
    @Path("delay/{ms}")
    fun delay(@RestPath ms: String): String {
        val millis = millisOf(ms)
        blockThread(millis)
        return waited(millis)
    }

    @GET
    @Path("block/{ms}")
    fun block(@RestPath ms: String): String {
        val millis = millisOf(ms)
        blockThread(millis)
        return blocked(millis)
    }

    @GET
    @Path("offload/{ms}")
    fun offload(@RestPath ms: String): String {
        val millis = millisOf(ms)
        blockThread(millis)
        return offloaded(millis)
    }

    @GET
    @Path("api/random/string/{length}")
    fun random(@RestPath length: String): String = randomString(lengthOf(length))

    @GET
    @Path("runtime")
    @Produces(MediaType.APPLICATION_JSON)
    fun runtime(@Context request: HttpServerRequest): String = selfReport.now(request, Model.VIRTUAL_THREADS).json
}
