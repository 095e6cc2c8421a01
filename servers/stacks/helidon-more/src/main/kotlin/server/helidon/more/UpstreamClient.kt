package threadgauge.server.helidon.more

import io.helidon.http.Status.Family.SUCCESSFUL
import io.helidon.webclient.api.WebClient
import java.io.UncheckedIOException
import java.time.Duration
import threadgauge.server.backends.CONNECT_TIMEOUT_MILLIS
import threadgauge.server.backends.REQUEST_TIMEOUT_MILLIS
import threadgauge.server.backends.UpstreamFailed

/** Helidon's client as shipped, with timeouts. It blocks the calling thread. */
internal class UpstreamClient(private val upstream: String) {
    private val client = WebClient.builder()
        .connectTimeout(Duration.ofMillis(CONNECT_TIMEOUT_MILLIS))
        .readTimeout(Duration.ofMillis(REQUEST_TIMEOUT_MILLIS))
        .build()

    fun result(millis: Long, index: Int): String = try {
        client.get("$upstream/test/$millis/$index").request(String::class.java).let {
            check(it.status().family() == SUCCESSFUL) { "status ${it.status()}" }
            it.entity()
        }
    } catch (failure: IllegalStateException) {
        throw UpstreamFailed(failure)
    } catch (failure: UncheckedIOException) {
        throw UpstreamFailed(failure)
    }
}
