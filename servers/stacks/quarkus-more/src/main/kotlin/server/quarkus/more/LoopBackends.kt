package threadgauge.server.quarkus.more

import io.quarkus.arc.properties.IfBuildProperty
import io.smallrye.mutiny.Uni
import io.smallrye.mutiny.infrastructure.Infrastructure
import io.vertx.core.http.HttpServerRequest
import jakarta.ws.rs.GET
import jakarta.ws.rs.Path
import jakarta.ws.rs.Produces
import jakarta.ws.rs.core.Context
import jakarta.ws.rs.core.MediaType
import java.time.Duration
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.reactor.mono
import org.jboss.resteasy.reactive.RestPath
import threadgauge.server.backends.FanOut
import threadgauge.server.backends.Strategy
import threadgauge.server.backends.UserPage
import threadgauge.server.quarkus.TEXT

/** On the event loop, so no thread waits. A blocking strategy runs on the worker pool. */
@Path("/")
@IfBuildProperty(name = "stack.threads", stringValue = "loops", enableIfMissing = true)
class LoopBackends(private val upstream: Upstream, private val fanOut: FanOut) {
    @GET
    @Path("mobile/users/{id}")
    @Produces(MediaType.APPLICATION_JSON)
    fun page(@RestPath id: String, @Context request: HttpServerRequest): Uni<String> {
        val page = UserPage.parse(id, request.inQuery("ms"), request.inQuery("from"))
        return Uni.combine().all().unis(part(page), part(page)).with(UserPage::answer)
    }

    private fun part(page: UserPage): Uni<String> {
        if (page.isFromUpstream) return upstream.result(page.millis, page.id)
        val part = Uni.createFrom().item(page.part)
        // Mutiny rejects a delay of zero.
        return if (page.millis == 0L) part else part.onItem().delayIt().by(Duration.ofMillis(page.millis))
    }

    @GET
    @Path("fanout/{strategy}/{ms}")
    @Produces(TEXT)
    fun results(@RestPath strategy: String, @RestPath ms: String, @Context request: HttpServerRequest): Uni<String> {
        val (chosen, parsed) = fanOut.parse(strategy, ms, request.inQuery("calls"), request.inQuery("n"))
        val results: Uni<List<String>> = when (chosen) {
            is Strategy.Blocking -> Uni.createFrom().item { chosen.results(parsed) }
                .runSubscriptionOn(Infrastructure.getDefaultWorkerPool())
            is Strategy.Suspending -> Uni.createFrom()
                .completionStage { mono(Dispatchers.Unconfined) { chosen.results(parsed) }.toFuture() }
            is Strategy.Reactive -> Uni.createFrom().completionStage { chosen.results(parsed).toFuture() }
        }
        return results.map(FanOut::answer)
    }
}
