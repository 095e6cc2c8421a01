package threadgauge.server.helidon

import io.helidon.webserver.http.Filter
import io.helidon.webserver.http.FilterChain
import io.helidon.webserver.http.RoutingRequest
import io.helidon.webserver.http.RoutingResponse
import io.micrometer.core.instrument.MeterRegistry
import io.micrometer.core.instrument.Timer
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics
import io.micrometer.core.instrument.binder.system.ProcessorMetrics

/**
 * Records every request in `http.server.requests`, as the other stacks do, and the JVM beside it. Helidon's own metrics have other names
 * and cannot be had from Maven's repository in this version; what they do at a request is the same: one record in one timer of Micrometer.
 */
class RequestTimer(private val registry: MeterRegistry) : Filter {
    init {
        listOf(ClassLoaderMetrics(), JvmMemoryMetrics(), JvmGcMetrics(), JvmThreadMetrics(), ProcessorMetrics())
            .forEach { it.bindTo(registry) }
    }

    override fun filter(chain: FilterChain, request: RoutingRequest, answer: RoutingResponse) {
        val sample = Timer.start(registry)
        try {
            chain.proceed()
        } finally {
            val method = request.prologue().method().text()
            val route = request.matchingPattern().orElse("none")
            val status = answer.status().codeText()
            sample.stop(registry.timer("http.server.requests", "method", method, "route", route, "status", status))
        }
    }
}
