package threadgauge.telemetry

import io.opentelemetry.api.metrics.MeterProvider
import io.opentelemetry.exporter.internal.FailedExportException
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter
import io.opentelemetry.sdk.common.CompletableResultCode
import io.opentelemetry.sdk.common.export.MemoryMode
import java.net.ConnectException
import java.net.UnknownHostException
import java.net.http.HttpTimeoutException
import java.nio.channels.UnresolvedAddressException
import java.time.Duration
import java.util.concurrent.Executors
import java.util.concurrent.TimeUnit
import java.util.logging.Level
import java.util.logging.Logger
import javax.net.ssl.SSLException
import threadgauge.model.failure.CollectorTrouble
import threadgauge.model.failure.TelemetryFault

/**
 * Pushes figures to a collector by OTLP over HTTP, in protobuf. A push that fails is not repeated: values are
 * cumulative, so the next one makes up for it. After a failure the collector is left alone for [AFTER_FAILURE_NANOS].
 *
 * This class is loaded, and with it OpenTelemetry's library, only where a run exports to a collector. Belongs to the
 * thread that publishes; [fault] is called from another one.
 */
internal class OtlpPush(order: OtlpOrder, run: String, private val fault: (TelemetryFault) -> Unit) : TelemetryOutput {
    private val place = placeOf(order.url)
    private val metrics = OtlpMetrics(run, startEpochNanos = epochNanosNow())
    private val sending = Executors.newSingleThreadExecutor { Thread(it, "otlp").apply { isDaemon = true } }
    private val exporter = OtlpHttpMetricExporter.builder()
        .setEndpoint(metricsUrl(order.url))
        .setHeaders { order.headers }
        .setConnectTimeout(CONNECT_TIMEOUT)
        .setTimeout(TIMEOUT)
        .setRetryPolicy(null)
        .setMeterProvider(MeterProvider.noop())
        .setMemoryMode(MemoryMode.IMMUTABLE_DATA)
        .setExecutorService(sending)
        .build()
    private var pending: CompletableResultCode? = null

    @Volatile
    private var failedNanos: Long? = null

    override val everyNanos: Long get() = EVERY_NANOS

    override fun publish(figures: List<MetricPoints>) {
        val failed = failedNanos
        val isLeftAlone = failed != null && System.nanoTime() - failed < AFTER_FAILURE_NANOS
        if (isLeftAlone || pending?.isDone == false) return
        push(figures)
    }

    override fun end(figures: List<MetricPoints>) {
        // Two pushes at a time could arrive in the wrong order.
        val before = pending
        if (before != null && !before.join(CONNECT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS).isDone) return
        val isDone = push(figures).join(END_MILLIS, TimeUnit.MILLISECONDS).isDone
        if (!isDone) fault(TelemetryFault.NotReached(place, CollectorTrouble.TIMEOUT))
    }

    /** Gives up a push that has not ended. The library's own way waits for the collector, so it has a thread. */
    override fun close() {
        sending.shutdownNow()
        Thread.startVirtualThread { exporter.shutdown() }
    }

    private fun push(figures: List<MetricPoints>): CompletableResultCode {
        val result = exporter.export(metrics.of(figures, epochNanosNow()))
        pending = result
        return result.whenComplete {
            failedNanos = if (result.isSuccess) null else System.nanoTime()
            if (!result.isSuccess) fault(faultOf(place, result.failureThrowable))
        }
    }

    private companion object {
        const val EVERY_NANOS = 5_000_000_000L
        const val AFTER_FAILURE_NANOS = 30_000_000_000L
        val CONNECT_TIMEOUT: Duration = Duration.ofSeconds(1)
        val TIMEOUT: Duration = Duration.ofSeconds(5)
        const val END_MILLIS = 2_000L

        /** The library logs every failure with a stack trace. Kept here because loggers are held weakly. */
        val silenced: Logger = Logger.getLogger("io.opentelemetry").apply { level = Level.OFF }
    }
}

/**
 * The URL that takes metrics: a collector's URL is a base, to which OTLP (section "OTLP/HTTP request") adds
 * `v1/metrics`. A URL that ends so already is used as it is.
 */
internal fun metricsUrl(url: String): String {
    val path = url.substringBefore('?')
    val query = url.removePrefix(path)
    return if (path.endsWith("/$METRICS_PATH")) url else path.trimEnd('/') + "/$METRICS_PATH" + query
}

/** The URL as it is shown: a query may hold a secret. */
internal fun placeOf(url: String): String = metricsUrl(url).substringBefore('?')

private fun faultOf(place: String, failure: Throwable?): TelemetryFault {
    val response = (failure as? FailedExportException.HttpExportException)?.response
    if (response != null) return TelemetryFault.Rejected(place, response.statusCode)
    // Messages are not passed on: they may quote a header.
    val causes = generateSequence(failure) { it.cause }.toList()
    return TelemetryFault.NotReached(place, when {
        causes.any { it is UnresolvedAddressException || it is UnknownHostException } -> CollectorTrouble.UNKNOWN_HOST
        causes.any { it is SSLException } -> CollectorTrouble.TLS
        causes.any { it is HttpTimeoutException } -> CollectorTrouble.TIMEOUT
        causes.any { it is ConnectException } -> CollectorTrouble.REFUSED
        else -> CollectorTrouble.OTHER
    })
}

private const val METRICS_PATH = "v1/metrics"

/** Now, in nanoseconds since 1970. */
private fun epochNanosNow() = System.currentTimeMillis() * 1_000_000
