package threadgauge.parity.quarkus

import io.quarkus.arc.properties.IfBuildProperty
import io.smallrye.common.annotation.RunOnVirtualThread
import jakarta.ws.rs.GET
import jakarta.ws.rs.Path
import jakarta.ws.rs.Produces
import jakarta.ws.rs.core.MediaType

/** Quarkus REST on virtual threads, as its guide "Virtual Thread support" has it, with a text for an answer. */
@Path("/hello")
@RunOnVirtualThread
@IfBuildProperty(name = "minimal.threads", stringValue = "virtual")
class VirtualGreeting {
    @GET
    @Produces(MediaType.TEXT_PLAIN)
    fun hello(): String = "hello"
}
