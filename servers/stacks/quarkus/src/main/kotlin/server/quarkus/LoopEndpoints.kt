package threadgauge.server.quarkus

import io.quarkus.arc.properties.IfBuildProperty
import io.smallrye.common.annotation.Blocking
import io.smallrye.mutiny.Uni
import io.vertx.core.http.HttpServerRequest
import jakarta.ws.rs.GET
import jakarta.ws.rs.Path
import jakarta.ws.rs.Produces
import jakarta.ws.rs.core.Context
import jakarta.ws.rs.core.MediaType
import java.time.Duration
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
 * Quarkus calls methods that return a `Uni` on the event loop, so a wait is a timer. A blocking call is annotated to
 * run on the worker pool.
 */
@Path("/")
@Produces(TEXT)
@IfBuildProperty(name = "stack.threads", stringValue = "loops", enableIfMissing = true)
class LoopEndpoints(private val selfReport: SelfReport) {
    @GET
    @Path("hello")
    fun hello(): Uni<String> = Uni.createFrom().item(HELLO)

    @GET
    @Path("delay/{ms}")
    fun delay(@RestPath ms: String): Uni<String> {
        val millis = millisOf(ms)
        val answer = Uni.createFrom().item(waited(millis))
        // Mutiny rejects a delay of zero.
        return if (millis == 0L) answer else answer.onItem().delayIt().by(Duration.ofMillis(millis))
    }

    /** The mistake: it blocks the event loop, and with it every connection that it serves. */
    @GET
    @Path("block/{ms}")
    fun block(@RestPath ms: String): Uni<String> {
        val millis = millisOf(ms)
        return Uni.createFrom().item {
            blockThread(millis)
            blocked(millis)
        }
    }

    @GET
    @Path("offload/{ms}")
    @Blocking
    fun offload(@RestPath ms: String): String {
        val millis = millisOf(ms)
        blockThread(millis)
        return offloaded(millis)
    }

    @GET
    @Path("api/random/string/{length}")
    fun random(@RestPath length: String): Uni<String> =
        lengthOf(length).let { Uni.createFrom().item { randomString(it) } }

    @GET
    @Path("runtime")
    @Produces(MediaType.APPLICATION_JSON)
    fun runtime(@Context request: HttpServerRequest): Uni<String> =
        Uni.createFrom().item { selfReport.now(request, Model.EVENT_LOOP).json }
}
