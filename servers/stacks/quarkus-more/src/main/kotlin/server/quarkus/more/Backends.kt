package threadgauge.server.quarkus.more

import io.vertx.core.http.HttpServerRequest
import jakarta.enterprise.inject.Produces
import jakarta.inject.Singleton
import org.eclipse.microprofile.config.inject.ConfigProperty
import threadgauge.server.backends.FanOut
import java.util.Optional

/** What both ways to serve have in common where they call a slow backend. */
class Backends {
    @Produces
    @Singleton
    fun fanOut(@ConfigProperty(name = "upstream") upstream: Optional<String>) = FanOut(upstream.orElse(""))
}

/** A parameter of the query, or null. Given twice it is one text, as Spring has it, and so no number. */
internal fun HttpServerRequest.inQuery(name: String): String? = params().getAll(name).takeIf { it.isNotEmpty() }?.joinToString(",")
