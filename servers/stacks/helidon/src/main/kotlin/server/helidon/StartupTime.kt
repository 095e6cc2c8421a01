package threadgauge.server.helidon

import java.util.logging.Handler
import java.util.logging.LogRecord
import java.util.logging.Logger

/** Reads the time to start from Helidon's log, the only place that has it. It counts from the start of the JVM. */
class StartupTime private constructor() : Handler() {
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

        /** Held here, because an unreferenced logger is collected together with its handlers. */
        private val logger = Logger.getLogger("io.helidon.webserver")

        fun attached() = StartupTime().also(logger::addHandler)
    }
}
