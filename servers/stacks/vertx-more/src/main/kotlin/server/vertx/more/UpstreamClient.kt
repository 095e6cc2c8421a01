package threadgauge.server.vertx.more

import io.vertx.core.Vertx
import io.vertx.core.VertxException
import io.vertx.ext.web.client.WebClient
import io.vertx.ext.web.client.WebClientOptions
import io.vertx.kotlin.coroutines.coAwait
import java.io.IOException
import java.util.concurrent.TimeoutException
import threadgauge.server.backends.CONNECT_TIMEOUT_MILLIS
import threadgauge.server.backends.REQUEST_TIMEOUT_MILLIS
import threadgauge.server.backends.UpstreamFailed

/**
 * Vert.x' WebClient. As shipped it keeps at most five connections to one host, and further calls queue; only the
 * timeouts are set.
 */
internal class UpstreamClient(vertx: Vertx, private val upstream: String) {
    private val client = WebClient.create(vertx, WebClientOptions().setConnectTimeout(CONNECT_TIMEOUT_MILLIS.toInt()))

    suspend fun result(millis: Long, index: Int): String = try {
        val answer = client.getAbs("$upstream/test/$millis/$index").timeout(REQUEST_TIMEOUT_MILLIS).send().coAwait()
        if (answer.statusCode() != 200) throw IOException("status ${answer.statusCode()}")
        answer.bodyAsString()
    } catch (failure: IOException) {
        throw UpstreamFailed(failure)
    } catch (failure: VertxException) {
        throw UpstreamFailed(failure)
    } catch (failure: TimeoutException) {
        throw UpstreamFailed(failure)
    }
}
