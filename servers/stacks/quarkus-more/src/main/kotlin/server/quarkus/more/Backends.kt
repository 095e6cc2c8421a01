package threadgauge.server.quarkus.more

import io.vertx.core.http.HttpServerRequest
import jakarta.enterprise.inject.Produces
import jakarta.inject.Singleton
import java.util.Optional
import org.eclipse.microprofile.config.inject.ConfigProperty
import threadgauge.server.backends.FanOut

/** Shared by the endpoints on event loops and on virtual threads that call a slow backend. */
class Backends {
    @Produces
    @Singleton
    fun fanOut(@ConfigProperty(name = "upstream") upstream: Optional<String>) = FanOut(upstream.orElse(""))
}

/** A parameter of the query, or null. Duplicates are joined with commas, as in Spring, and so are no number. */
internal fun HttpServerRequest.inQuery(name: String): String? =
    params().getAll(name).takeIf { it.isNotEmpty() }?.joinToString(",")
