package threadgauge.server.quarkus

import io.micrometer.prometheus.PrometheusMeterRegistry
import jakarta.ws.rs.GET
import jakarta.ws.rs.Path
import jakarta.ws.rs.Produces

/**
 * Replaces Quarkus' `/q/metrics`, which answers clients without an `Accept` header with OpenMetrics. The other stacks
 * answer with the older Prometheus text.
 */
@Path("metrics")
class Metrics(private val registry: PrometheusMeterRegistry) {
    @GET
    @Produces(TEXT)
    fun scrape(): String = registry.scrape()
}
