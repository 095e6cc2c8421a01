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
import java.util.concurrent.TimeUnit.MILLISECONDS

/**
 * OpenFeign on the JDK's HTTP client, without a limit of connections. Created at its first use. Any thread may use it.
 */
internal class BlockingClient(upstream: String) {
    private val api by lazy {
        Feign.builder()
            .client(Http2Client(httpClient))
            .options(
                Request.Options(CONNECT_TIMEOUT_MILLIS, MILLISECONDS, REQUEST_TIMEOUT_MILLIS, MILLISECONDS, true),
            )
            // By default Feign makes five attempts; the other clients make one.
            .retryer(Retryer.NEVER_RETRY)
            .target(UpstreamApi::class.java, upstream)
    }

    fun result(millis: Long, index: Int): String = try {
        api.result(millis, index)
    } catch (failure: FeignException) {
        throw UpstreamFailed(failure)
    }

    /** Timeout and redirects must equal those of the options. Otherwise Feign would create a client of its own. */
    private val httpClient by lazy {
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(Redirect.ALWAYS)
            .connectTimeout(Duration.ofMillis(CONNECT_TIMEOUT_MILLIS))
            .build()
    }
}

private interface UpstreamApi {
    @RequestLine("GET /test/{millis}/{index}")
    fun result(@Param("millis") millis: Long, @Param("index") index: Int): String
}
