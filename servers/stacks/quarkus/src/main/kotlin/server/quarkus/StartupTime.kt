package threadgauge.server.quarkus

import io.quarkus.runtime.StartupEvent
import jakarta.enterprise.event.Observes
import jakarta.inject.Singleton
import java.util.logging.Handler
import java.util.logging.LogRecord
import java.util.logging.Logger
import org.jboss.logmanager.ExtLogRecord

/**
 * Reads the time to start from Quarkus' log, the only place that has it. The line follows the event that attaches this.
 */
@Singleton
class StartupTime : Handler() {
    /** Null until the line was logged. Written once by the main thread, read by handlers. */
    @Volatile
    var millis: Double? = null
        private set

    fun attach(@Observes event: StartupEvent) = logger.addHandler(this)

    override fun publish(record: LogRecord) {
        val message = (record as? ExtLogRecord)?.formattedMessage.orEmpty()
        LINE.find(message)?.let { millis = it.groupValues[1].toDouble() * 1_000 }
    }

    override fun flush() = Unit

    override fun close() = Unit

    private companion object {
        /** Held here, because an unreferenced logger is collected together with its handlers. */
        val logger: Logger = Logger.getLogger("io.quarkus")

        val LINE = Regex("started in ([0-9.]+)s")
    }
}
