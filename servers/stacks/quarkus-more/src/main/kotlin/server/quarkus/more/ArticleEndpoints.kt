package threadgauge.server.quarkus.more

import io.quarkus.arc.properties.IfBuildProperty
import io.smallrye.common.annotation.Blocking
import io.smallrye.common.annotation.RunOnVirtualThread
import io.vertx.core.http.HttpServerRequest
import jakarta.ws.rs.GET
import jakarta.ws.rs.Path
import jakarta.ws.rs.Produces
import jakarta.ws.rs.core.Context
import jakarta.ws.rs.core.MediaType
import org.jboss.resteasy.reactive.RestPath
import threadgauge.server.articles.idOf
import threadgauge.server.articles.idsOf

/** A blocking call on the worker pool, as Quarkus' manual recommends. */
@Path("/api/articles")
@Produces(MediaType.APPLICATION_JSON)
@Blocking
@IfBuildProperty(name = "stack.threads", stringValue = "loops", enableIfMissing = true)
class WorkerArticles(private val articles: Articles) {
    @GET
    fun all(@Context request: HttpServerRequest): String = articles.all(idsOf(request.inQuery("ids")))

    @GET
    @Path("{id}")
    fun one(@RestPath id: String): String = articles.one(idOf(id))
}

/** The virtual thread of the request waits for the database. */
@Path("/api/articles")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@IfBuildProperty(name = "stack.threads", stringValue = "virtual")
class VirtualArticles(private val articles: Articles) {
    @GET
    fun all(@Context request: HttpServerRequest): String = articles.all(idsOf(request.inQuery("ids")))

    @GET
    @Path("{id}")
    fun one(@RestPath id: String): String = articles.one(idOf(id))
}
