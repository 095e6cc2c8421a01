package threadgauge.server.ktor

import ch.qos.logback.classic.spi.ILoggingEvent
import ch.qos.logback.core.AppenderBase

/**
 * Ktor says how long it took to start in its log and nowhere else. Reads that line; attached in `logback.xml`.
 * The figure leaves out the start of the JVM and the opening of the port, which come before and after it.
 */
class StartupFigure : AppenderBase<ILoggingEvent>() {
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
