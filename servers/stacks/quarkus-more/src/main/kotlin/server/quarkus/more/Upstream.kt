package threadgauge.server.quarkus.more

import io.smallrye.mutiny.Uni
import io.vertx.core.Vertx
import io.vertx.core.VertxException
import io.vertx.ext.web.client.WebClient
import io.vertx.ext.web.client.WebClientOptions
import jakarta.inject.Singleton
import java.io.IOException
import java.util.Optional
import java.util.concurrent.TimeoutException
import org.eclipse.microprofile.config.inject.ConfigProperty
import threadgauge.server.backends.CONNECT_TIMEOUT_MILLIS
import threadgauge.server.backends.REQUEST_TIMEOUT_MILLIS
import threadgauge.server.backends.UpstreamFailed

/**
 * Vert.x' WebClient, which comes with Quarkus. Quarkus' REST client does not resolve in this version. As shipped it
 * keeps at most five connections to one host, and further calls queue; only the timeouts are set.
 */
@Singleton
class Upstream(vertx: Vertx, @ConfigProperty(name = "upstream") upstream: Optional<String>) {
    private val base = upstream.orElse("")
    private val client = WebClient.create(vertx, WebClientOptions().setConnectTimeout(CONNECT_TIMEOUT_MILLIS.toInt()))

    fun result(millis: Long, index: Int): Uni<String> =
        Uni.createFrom()
            .completionStage {
                client.getAbs("$base/test/$millis/$index").timeout(REQUEST_TIMEOUT_MILLIS).send().toCompletionStage()
            }
            .map { if (it.statusCode() == 200) it.bodyAsString() else throw IOException("status ${it.statusCode()}") }
            .onFailure { it is IOException || it is VertxException || it is TimeoutException }
            .transform(::UpstreamFailed)

    /** The same call, which blocks the calling thread. */
    fun awaited(millis: Long, index: Int): String = result(millis, index).await().indefinitely()
}
