package threadgauge.server.backends

import feign.Feign
import feign.FeignException
import feign.Param
import feign.Request
import feign.RequestLine
import feign.Retryer
import feign.http2client.Http2Client
import java.net.http.HttpClient
import java.net.http.HttpClient.Redirect
import java.time.Duration
import java.util.concurrent.TimeUnit

/** OpenFeign on the JDK's HTTP client, as many connections as are needed. Made when it is first used. For any number of threads. */
internal class BlockingClient(upstream: String) {
    private val api by lazy {
        Feign.builder()
            .client(Http2Client(httpClient))
            .options(Request.Options(CONNECT_MILLIS, TimeUnit.MILLISECONDS, PATIENCE_MILLIS, TimeUnit.MILLISECONDS, true))
            // Feign tries five times unless told otherwise; the other clients ask once.
            .retryer(Retryer.NEVER_RETRY)
            .target(UpstreamApi::class.java, upstream)
    }

    fun result(millis: Long, index: Int): String = try {
        api.result(millis, index)
    } catch (failure: FeignException) {
        throw UpstreamFailed(failure)
    }

    /** Timeout and redirects are those of the options: where they differ, Feign makes a client of its own. */
    private val httpClient by lazy {
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(Redirect.ALWAYS)
            .connectTimeout(Duration.ofMillis(CONNECT_MILLIS))
            .build()
    }
}

private interface UpstreamApi {
    @RequestLine("GET /test/{millis}/{index}")
    fun result(@Param("millis") millis: Long, @Param("index") index: Int): String
}
