package threadgauge.server.work

import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics
import io.micrometer.core.instrument.binder.system.ProcessorMetrics
import io.micrometer.prometheusmetrics.PrometheusConfig
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry

/**
 * What `GET /metrics` shows on stacks whose framework has nothing of its own for it: the JVM. Requests are not counted, as in the smallest
 * server of each framework; what a timer for each of them costs, the option `request-timers` tells. Needs Micrometer on the class path,
 * which this module does not bring.
 */
fun jvmMetrics() = PrometheusMeterRegistry(PrometheusConfig.DEFAULT).also { registry ->
    listOf(ClassLoaderMetrics(), JvmMemoryMetrics(), JvmGcMetrics(), JvmThreadMetrics(), ProcessorMetrics()).forEach { it.bindTo(registry) }
}
