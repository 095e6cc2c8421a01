package threadgauge.probe.profile

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

    /** Throws what JMX throws, and what the JVM answered. */
    fun dump(): RawDump {
        if (folder == null || java < WITH_VIRTUAL_THREADS) return RawDump(platform(), null)
        val file = folder.resolve("dump-${++dumps}.json")
        val platform = if (java < WITH_STATES) platform() else null
        connection.invoke(DIAGNOSTIC, "dumpThreads", arrayOf("$file", "JSON"), arrayOf(TEXT, TEXT))
        return RawDump(platform, file)
    }

    private fun platform(): List<CompositeData> {
        val withoutLocks = arrayOf<Any>(false, false)
        val threads = connection.invoke(THREADING, "dumpAllThreads", withoutLocks, arrayOf("boolean", "boolean"))
        return (threads as Array<*>).filterIsInstance<CompositeData>()
    }

    private companion object {
        const val WITH_VIRTUAL_THREADS = 21

        /** From here on a file has the states of threads, and says which of them are virtual. */
        const val WITH_STATES = 24
        const val TEXT = "java.lang.String"
        val THREADING = ObjectName("java.lang:type=Threading")
        val DIAGNOSTIC = ObjectName("com.sun.management:type=HotSpotDiagnostic")
    }
}
