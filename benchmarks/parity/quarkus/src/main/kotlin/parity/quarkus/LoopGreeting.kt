package threadgauge.parity.quarkus

import io.quarkus.arc.properties.IfBuildProperty
import io.smallrye.mutiny.Uni
import jakarta.ws.rs.GET
import jakarta.ws.rs.Path
import jakarta.ws.rs.Produces
import jakarta.ws.rs.core.MediaType

/** Quarkus REST on the event loop, as its guide "Getting Started with Reactive" has it, with a text for an answer. */
@Path("/hello")
@IfBuildProperty(name = "minimal.threads", stringValue = "loops", enableIfMissing = true)
class LoopGreeting {
    @GET
    @Produces(MediaType.TEXT_PLAIN)
    fun hello(): Uni<String> = Uni.createFrom().item("hello")
}
