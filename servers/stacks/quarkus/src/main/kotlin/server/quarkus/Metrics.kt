package threadgauge.server.quarkus

import io.micrometer.prometheus.PrometheusMeterRegistry
import jakarta.ws.rs.GET
import jakarta.ws.rs.Path
import jakarta.ws.rs.Produces

/** Quarkus' own `/q/metrics` answers whoever names no type with OpenMetrics; the other stacks answer with Prometheus' older text. */
@Path("metrics")
class Metrics(private val registry: PrometheusMeterRegistry) {
    @GET
    @Produces(TEXT)
    fun scrape(): String = registry.scrape()
}
