package threadgauge.server.ktor.backends

import io.ktor.client.HttpClient
import io.ktor.client.call.body
import io.ktor.client.engine.cio.CIO
import io.ktor.client.engine.cio.endpoint
import io.ktor.client.plugins.ResponseException
import io.ktor.client.request.get
import java.io.IOException
import java.nio.channels.UnresolvedAddressException
import threadgauge.server.backends.CONNECT_TIMEOUT_MILLIS
import threadgauge.server.backends.REQUEST_TIMEOUT_MILLIS
import threadgauge.server.backends.UpstreamFailed

/**
 * Ktor's client on its CIO engine. As shipped it opens a connection for each call, at most 100 at a time to one host;
 * only the timeouts are set.
 */
internal class UpstreamClient(private val upstream: String) : AutoCloseable {
    private val client = HttpClient(CIO) {
        expectSuccess = true
        engine {
            requestTimeout = REQUEST_TIMEOUT_MILLIS
            endpoint { connectTimeout = CONNECT_TIMEOUT_MILLIS }
        }
    }

    suspend fun result(millis: Long, index: Int): String = try {
        client.get("$upstream/test/$millis/$index").body()
    } catch (failure: ResponseException) {
        throw UpstreamFailed(failure)
    } catch (failure: IOException) {
        throw UpstreamFailed(failure)
    } catch (failure: UnresolvedAddressException) {
        throw UpstreamFailed(failure)
    }

    override fun close() = client.close()
}
