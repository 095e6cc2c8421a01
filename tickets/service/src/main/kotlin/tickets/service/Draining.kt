package threadgauge.tickets.service

import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeoutOrNull
import org.slf4j.LoggerFactory
import org.springframework.context.SmartLifecycle
import org.springframework.stereotype.Component
import threadgauge.tickets.sale.Strategy

/**
 * Answers all requests that wait before the service ends. Runs after the web server has stopped accepting requests, and
 * before the connections to the ledger are closed.
 */
@Component
class Draining(private val strategy: Strategy) : SmartLifecycle {
    @Volatile
    private var isOn = false

    override fun start() {
        isOn = true
    }

    override fun stop() {
        isOn = false
        val done = runBlocking { withTimeoutOrNull(MAX_DURATION) { strategy.drain() } }
        if (done == null) LOG.warn("some requests were not answered within {}", MAX_DURATION)
    }

    override fun isRunning() = isOn

    /** Lower than that of the web server's graceful shutdown: higher phases stop first. */
    override fun getPhase() = SmartLifecycle.DEFAULT_PHASE - 10_000

    private companion object {
        val MAX_DURATION = 15.seconds
        val LOG = LoggerFactory.getLogger(Draining::class.java)!!
    }
}
