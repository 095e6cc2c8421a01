package threadgauge.server.helidon

import java.util.logging.Handler
import java.util.logging.LogRecord
import java.util.logging.Logger

/**
 * Helidon says how long it took to start in its log and nowhere else. Reads that line. The figure counts from the start of the JVM.
 */
class StartupFigure private constructor() : Handler() {
    /** Null until the line was logged. Written once by the main thread, read by handlers. */
    @Volatile
    var millis: Double? = null
        private set

    override fun publish(record: LogRecord) {
        LINE.find(record.message.orEmpty())?.let { millis = it.groupValues[1].toDouble() }
    }

    override fun flush() = Unit

    override fun close() = Unit

    companion object {
        private val LINE = Regex("""([0-9]+) milliseconds since JVM startup""")

        /** A logger that nobody holds is collected, and its handlers with it. */
        private val logger = Logger.getLogger("io.helidon.webserver")

        fun attached() = StartupFigure().also(logger::addHandler)
    }
}
