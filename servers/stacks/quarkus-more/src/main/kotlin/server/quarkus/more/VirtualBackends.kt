package threadgauge.server.quarkus.more

import io.quarkus.arc.properties.IfBuildProperty
import io.quarkus.virtual.threads.VirtualThreads
import io.smallrye.common.annotation.RunOnVirtualThread
import io.vertx.core.http.HttpServerRequest
import jakarta.ws.rs.GET
import jakarta.ws.rs.Path
import jakarta.ws.rs.Produces
import jakarta.ws.rs.core.Context
import jakarta.ws.rs.core.MediaType
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ExecutorService
import kotlinx.coroutines.runBlocking
import org.jboss.resteasy.reactive.RestPath
import threadgauge.server.backends.FanOut
import threadgauge.server.backends.Strategy
import threadgauge.server.backends.UserPage
import threadgauge.server.backends.outcome
import threadgauge.server.quarkus.TEXT
import threadgauge.server.work.blockThread

/**
 * The virtual thread of the request waits for the results, whatever the strategy. Two more fetch the parts of a page.
 */
@Path("/")
@RunOnVirtualThread
@IfBuildProperty(name = "stack.threads", stringValue = "virtual")
class VirtualBackends(
    private val upstream: Upstream,
    private val fanOut: FanOut,
    @param:VirtualThreads private val threads: ExecutorService,
) {
    @GET
    @Path("mobile/users/{id}")
    @Produces(MediaType.APPLICATION_JSON)
    fun page(@RestPath id: String, @Context request: HttpServerRequest): String {
        val page = UserPage.parse(id, request.inQuery("ms"), request.inQuery("from"))
        val user = CompletableFuture.supplyAsync({ part(page) }, threads)
        val orders = CompletableFuture.supplyAsync({ part(page) }, threads)
        return UserPage.answer(user.outcome(), orders.outcome())
    }

    private fun part(page: UserPage): String {
        if (page.isFromUpstream) return upstream.awaited(page.millis, page.id)
        blockThread(page.millis)
        return page.part
    }

    @GET
    @Path("fanout/{strategy}/{ms}")
    @Produces(TEXT)
    fun results(@RestPath strategy: String, @RestPath ms: String, @Context request: HttpServerRequest): String {
        val (chosen, parsed) = fanOut.parse(strategy, ms, request.inQuery("calls"), request.inQuery("n"))
        val results = when (chosen) {
            is Strategy.Blocking -> chosen.results(parsed)
            is Strategy.Suspending -> runBlocking { chosen.results(parsed) }
            is Strategy.Reactive -> checkNotNull(chosen.results(parsed).block())
        }
        return FanOut.answer(results)
    }
}
