package threadgauge.server.ktor.features

import io.ktor.server.application.Application
import io.ktor.server.application.createApplicationPlugin
import io.ktor.server.application.hooks.ResponseSent
import io.ktor.server.application.install
import io.ktor.server.metrics.micrometer.MicrometerMetrics
import io.ktor.server.plugins.calllogging.CallLogging
import io.ktor.server.plugins.compression.Compression
import io.ktor.server.plugins.compression.gzip
import io.ktor.server.plugins.compression.minimumSize
import io.ktor.server.plugins.cors.routing.CORS
import io.ktor.server.plugins.defaultheaders.DefaultHeaders
import io.ktor.server.response.header
import io.ktor.util.AttributeKey
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig
import java.util.concurrent.atomic.LongAdder
import threadgauge.server.ktor.metricsRegistry
import threadgauge.server.work.Features

/** The features, each switched on by its plugin. TLS and HTTP/2 are arguments of the engine, in `stacks.yaml`. */
fun Application.features() {
    if (isOn(Features.DEFAULT_HEADERS)) install(DefaultHeaders) { header(Features.SERVED_BY, Features.SERVED_BY_VALUE) }
    if (isOn(Features.CORS)) install(CORS) { allowHost(Features.ORIGIN.substringAfter("://"), listOf("https")) }
    if (isOn(Features.INTERCEPTOR)) install(stopwatch)
    if (isOn(Features.GZIP)) install(Compression) { gzip { minimumSize(Features.MIN_GZIP_BYTES) } }
    if (isOn(Features.CALL_LOGGING)) install(CallLogging)
    if (isOn(Features.REQUEST_TIMERS)) timeRequests()
    if (isOn(Features.HTTPS_REDIRECT)) redirectToHttps()
    if (isOn(Features.SESSIONS)) giveSessions()
    if (isOn(Features.TEMPLATES)) servePages()
    requireAuthentication()
}

internal fun Application.isOn(feature: String) = environment.config.propertyOrNull(feature)?.getString().toBoolean()

/**
 * As on the other stacks, one timer with the same name records each request. By default the plugin would also keep four
 * percentiles, unlike the other stacks, and add the JVM's metrics a second time.
 */
private fun Application.timeRequests() = install(MicrometerMetrics) {
    registry = this@timeRequests.attributes[metricsRegistry]
    metricName = "http.server.requests"
    distributionStatisticConfig = DistributionStatisticConfig.NONE
    meterBinders = emptyList()
}

/** Measures the time of every call. */
private val stopwatch = createApplicationPlugin("Stopwatch") {
    val nanos = LongAdder()
    val began = AttributeKey<Long>("began")
    onCall { call ->
        call.attributes.put(began, System.nanoTime())
        call.response.header(Features.INTERCEPTED, "yes")
    }
    on(ResponseSent) { call -> nanos.add(System.nanoTime() - call.attributes[began]) }
}
