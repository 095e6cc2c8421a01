package threadgauge.probe.profile.dump

import java.nio.file.Path
import javax.management.MBeanServerConnection
import javax.management.ObjectName
import javax.management.openmbean.CompositeData

/** A dump as the JVM made it: [platform] threads, or in a [file] those that are virtual, or in it all of them. */
internal class RawDump(val platform: List<CompositeData>?, val file: Path?)

/**
 * Lets the JVM behind [connection] dump its threads, those that are virtual into files of [folder]; null where it does
 * not see the same files. It stops each thread for a moment. [java] is its feature version. Belongs to one thread.
 */
internal class ThreadDumper(
    private val connection: MBeanServerConnection,
    private val java: Int,
    private val folder: Path?,
) {
    private var dumps = 0
    private var writesFiles = folder != null && java >= WITH_VIRTUAL_THREADS

    /** Throws what JMX throws, and what the JVM answered. After a file that failed there are platform threads alone. */
    fun dump(): RawDump {
        if (folder == null || !writesFiles) return RawDump(platform(), null)
        val file = folder.resolve("dump-${++dumps}.json")
        val platform = if (java < WITH_STATES) platform() else null
        writesFiles = false
        connection.invoke(DIAGNOSTIC, "dumpThreads", arrayOf("$file", "JSON"), arrayOf(TEXT, TEXT))
        writesFiles = true
        return RawDump(platform, file)
    }

    private fun platform(): List<CompositeData> {
        val withoutLocks = arrayOf<Any>(false, false)
        val threads = connection.invoke(THREADING, "dumpAllThreads", withoutLocks, arrayOf("boolean", "boolean"))
        return (threads as Array<*>).filterIsInstance<CompositeData>()
    }

    companion object {
        /** The first version with virtual threads, and with dumps that have them. */
        const val WITH_VIRTUAL_THREADS = 21

        /** From here on a file has the states of threads, and says which of them are virtual. */
        private const val WITH_STATES = 24
        private const val TEXT = "java.lang.String"
        private val THREADING = ObjectName("java.lang:type=Threading")
        private val DIAGNOSTIC = ObjectName("com.sun.management:type=HotSpotDiagnostic")
    }
}
