package threadgauge.server.work

import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics
import io.micrometer.core.instrument.binder.system.ProcessorMetrics
import io.micrometer.prometheusmetrics.PrometheusConfig
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry

/**
 * The metrics of the JVM, for `GET /metrics` on stacks whose framework has none. Requests have no timer, as in the
 * smallest server of each framework; the option `request-timers` measures its cost. Needs Micrometer on the class path,
 * which this module does not bring.
 */
fun jvmMetrics() = PrometheusMeterRegistry(PrometheusConfig.DEFAULT).also { registry ->
    listOf(ClassLoaderMetrics(), JvmMemoryMetrics(), JvmGcMetrics(), JvmThreadMetrics(), ProcessorMetrics())
        .forEach { it.bindTo(registry) }
}
