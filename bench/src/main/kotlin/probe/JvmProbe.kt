package threadgauge.probe

import com.sun.tools.attach.VirtualMachine
import threadgauge.model.JvmCost
import javax.management.MBeanServerConnection
import javax.management.ObjectName
import javax.management.openmbean.CompositeData
import javax.management.remote.JMXConnectorFactory
import javax.management.remote.JMXServiceURL

/** Cumulative counters and the state of a JVM at one moment, as it counts them itself. */
data class JvmReading(
    val collections: Long,
    val collectionMillis: Double,
    /** All compiler threads together. */
    val compileMillis: Double,
    /** By platform threads, living and ended; null on JVMs before 21. */
    val allocatedBytes: Long?,
    val heapUsedBytes: Long,
    val codeCacheBytes: Long,
    val loadedClasses: Int,
    val platformThreads: Int,
) {
    fun since(earlier: JvmReading) = JvmCost(
        collections = collections - earlier.collections,
        collectionMillis = collectionMillis - earlier.collectionMillis,
        compileMillis = compileMillis - earlier.compileMillis,
        allocatedBytes = allocatedBytes?.let { now -> earlier.allocatedBytes?.let { now - it } },
    )
}

/**
 * Asks a JVM that was started with no flags for it: attaches, has it start its own management agent, and reads that over the
 * loopback interface. Attaching loads about a thousand classes into the target, the same for every stack.
 *
 * For one thread at a time.
 */
class JvmProbe private constructor(private val connection: MBeanServerConnection, private val disconnect: () -> Unit) : AutoCloseable {
    private val collectors = connection.queryNames(ObjectName("java.lang:type=GarbageCollector,*"), null).toList()
    private val codePools = connection.queryNames(ObjectName("java.lang:type=MemoryPool,*"), null)
        .filter { it.getKeyProperty("name").startsWith("Code") }

    fun read() = JvmReading(
        collections = collectors.sumOf { maxOf(0L, number(it, "CollectionCount")) },
        collectionMillis = collectors.sumOf { maxOf(0L, number(it, "CollectionTime")) }.toDouble(),
        compileMillis = compileMillis(),
        allocatedBytes = runCatching { number(THREADING, "TotalThreadAllocatedBytes") }.getOrNull()?.takeIf { it >= 0 },
        heapUsedBytes = used(MEMORY, "HeapMemoryUsage"),
        codeCacheBytes = codeCacheBytes(),
        loadedClasses = number(CLASSES, "LoadedClassCount").toInt(),
        platformThreads = number(THREADING, "ThreadCount").toInt(),
    )

    /** The compiler's work so far, in milliseconds of all its threads; cheap enough to ask ten times a second. */
    fun compileMillis(): Double = number(COMPILATION, "TotalCompilationTime").toDouble()

    /** Compiled code, interpreter and stubs, in bytes; as cheap. */
    fun codeCacheBytes(): Long = codePools.sumOf { used(it, "Usage") }

    override fun close() = disconnect()

    private fun number(bean: ObjectName, attribute: String) = (connection.getAttribute(bean, attribute) as Number).toLong()

    private fun used(bean: ObjectName, attribute: String) =
        ((connection.getAttribute(bean, attribute) as CompositeData).get("used") as Number).toLong()

    companion object {
        /** Null where the process is no JVM, belongs to another user, or does not let anyone attach. */
        fun attach(pid: Long): JvmProbe? = try {
            val machine = VirtualMachine.attach(pid.toString())
            val address = try {
                machine.startLocalManagementAgent()
            } finally {
                machine.detach()
            }
            val connector = JMXConnectorFactory.connect(JMXServiceURL(address))
            JvmProbe(connector.mBeanServerConnection) { runCatching { connector.close() } }
        } catch (_: Exception) {
            null
        }

        private val THREADING = ObjectName("java.lang:type=Threading")
        private val MEMORY = ObjectName("java.lang:type=Memory")
        private val CLASSES = ObjectName("java.lang:type=ClassLoading")
        private val COMPILATION = ObjectName("java.lang:type=Compilation")
    }
}
