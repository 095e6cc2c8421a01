package threadgauge.server.ktor

import ch.qos.logback.classic.spi.ILoggingEvent
import ch.qos.logback.core.AppenderBase

/**
 * Reads the time to start from Ktor's log, the only place that has it. Attached in `logback.xml`. It leaves out the
 * start of the JVM and the opening of the port.
 */
class StartupTime : AppenderBase<ILoggingEvent>() {
    override fun append(event: ILoggingEvent) {
        LINE.find(event.formattedMessage)?.let { millis = it.groupValues[1].toDouble() * 1_000 }
    }

    companion object {
        /** Null until the line was logged. Written once by the main thread, read by handlers. */
        @Volatile
        var millis: Double? = null
            private set

        private val LINE = Regex("Application started in ([0-9.]+) seconds")
    }
}
