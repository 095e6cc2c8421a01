package threadgauge.probe

import com.sun.tools.attach.VirtualMachine
import java.nio.file.Path
import java.util.Locale
import javax.management.MBeanServerConnection
import javax.management.ObjectName
import javax.management.openmbean.CompositeData
import javax.management.remote.JMXConnectorFactory
import javax.management.remote.JMXServiceURL
import kotlin.io.path.exists
import kotlin.io.path.useLines
import threadgauge.model.HEAP_FACT
import threadgauge.model.JvmCost
import threadgauge.model.profile.NoProfile
import threadgauge.model.profile.NoProfileReason

/** Cumulative counters and the state of a JVM at one moment, from the JVM itself. */
data class JvmReading(
    val collections: Long,
    val collectionMillis: Double,
    /** Over all compiler threads. */
    val compileMillis: Double,
    /** Allocated by platform threads, running and ended; null on JVMs before 21. */
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
 * Observes a JVM that was started without flags: attaches, starts its management agent, and reads that over the
 * loopback interface. Attaching loads about a thousand classes into the target, the same for every stack.
 *
 * For one thread at a time.
 */
class JvmProbe private constructor(
    val pid: Long,
    /** Also for other observers of the same JVM, on one thread at a time or several. */
    internal val connection: MBeanServerConnection,
    private val disconnect: () -> Unit,
) : AutoCloseable {
    private val collectors = connection.queryNames(ObjectName("java.lang:type=GarbageCollector,*"), null).toList()
    private val codePools = connection.queryNames(ObjectName("java.lang:type=MemoryPool,*"), null)
        .filter { it.getKeyProperty("name").startsWith("Code") }

    /** Feature version, such as 25; null where the JVM does not report one. */
    val version: Int? by lazy {
        runCatching { text(RUNTIME, "SpecVersion").removePrefix("1.").substringBefore('.').toInt() }.getOrNull()
    }

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

    /** Time of the JIT compiler so far, in milliseconds over all its threads. Cheap enough for ten calls per second. */
    fun compileMillis(): Double = number(COMPILATION, "TotalCompilationTime").toDouble()

    /** Compiled code, interpreter and stubs, in bytes. As cheap. */
    fun codeCacheBytes(): Long = codePools.sumOf { used(it, "Usage") }

    /** Settings that may affect a result, as text by name. Those that this JVM does not report are left out. */
    fun facts(): Map<String, String> = listOf<Pair<String, () -> String?>>(
        "Java" to { "${text(RUNTIME, "VmName")} ${text(RUNTIME, "VmVersion")}" },
        "processors" to { text(SYSTEM, "AvailableProcessors") },
        "garbage collectors" to { collectors.map { it.getKeyProperty("name") }.sorted().joinToString() },
        HEAP_FACT to { "%,d MB".format(Locale.ROOT, heapMaxBytes() / 1_000_000) },
        "JVM arguments" to {
            (connection.getAttribute(RUNTIME, "InputArguments") as Array<*>).joinToString(" ").ifEmpty { "none" }
        },
        "virtual threads" to ::virtualThreads,
    ).mapNotNull { (name, read) -> runCatching(read).getOrNull()?.let { name to it } }.toMap()

    /** Java 24 and newer report the scheduler. It has no carriers until the first virtual thread runs. */
    private fun virtualThreads(): String {
        val carriers = number(SCHEDULER, "PoolSize")
        return if (carriers == 0L) {
            "not used"
        } else {
            "used, on $carriers carriers (at most ${text(SCHEDULER, "Parallelism")} run at a time)"
        }
    }

    override fun close() = disconnect()

    private fun heapMaxBytes() = (connection.getAttribute(MEMORY, "HeapMemoryUsage") as CompositeData)["max"] as Long

    private fun text(bean: ObjectName, attribute: String) = connection.getAttribute(bean, attribute).toString()

    private fun number(bean: ObjectName, attribute: String) =
        (connection.getAttribute(bean, attribute) as Number).toLong()

    private fun used(bean: ObjectName, attribute: String) =
        ((connection.getAttribute(bean, attribute) as CompositeData).get("used") as Number).toLong()

    companion object {
        /**
         * A JVM that is stopped, or hangs at a safepoint, answers nothing. Then a reading fails with an `IOException`
         * whose cause is a `SocketTimeoutException`.
         */
        const val PATIENCE_SECONDS = 10L

        init {
            // Read once by RMI; by default it waits for ever, and after a failure a minute for a new connection.
            for (name in listOf("responseTimeout", "handshakeTimeout")) {
                val property = "sun.rmi.transport.tcp.$name"
                if (System.getProperty(property) == null) System.setProperty(property, "${PATIENCE_SECONDS * 1_000}")
            }
        }

        /** The oldest Java that tells what is asked of it. */
        const val OLDEST_JAVA = 17

        /**
         * Null where the process is not a JVM, belongs to another user, or does not allow attaching: then [refused] is
         * told why.
         */
        fun attach(pid: Long, refused: (NoProfile) -> Unit = {}): JvmProbe? {
            if (isJvm(pid)) return connect(pid, refused)
            refused(NoProfile(NoProfileReason.NOT_A_JVM))
            return null
        }

        /**
         * Attaching sends SIGQUIT, which ends programs other than JVMs, so it is only done for a process that is
         * certainly a JVM.
         */
        private fun isJvm(pid: Long): Boolean {
            val maps = Path.of("/proc/$pid/maps")
            if (maps.exists()) {
                return runCatching { maps.useLines { lines -> lines.any { "/libjvm.so" in it } } }.getOrDefault(false)
            }
            return VirtualMachine.list().any { it.id() == pid.toString() }
        }

        private fun connect(pid: Long, refused: (NoProfile) -> Unit): JvmProbe? = try {
            val machine = VirtualMachine.attach(pid.toString())
            val address = try {
                machine.startLocalManagementAgent()
            } finally {
                machine.detach()
            }
            // A heartbeat would ask the JVM while it is measured, and complain when it is stopped.
            val connector = JMXConnectorFactory.connect(JMXServiceURL(address), mapOf(HEARTBEAT_MILLIS to 0L))
            JvmProbe(pid, connector.mBeanServerConnection) { runCatching { connector.close() } }
        } catch (failure: Exception) {
            refused(NoProfile(NoProfileReason.REFUSED, failure.message?.lineSequence()?.first()))
            null
        }

        private const val HEARTBEAT_MILLIS = "jmx.remote.x.client.connection.check.period"
        private val RUNTIME = ObjectName("java.lang:type=Runtime")
        private val SYSTEM = ObjectName("java.lang:type=OperatingSystem")
        private val SCHEDULER = ObjectName("jdk.management:type=VirtualThreadScheduler")
        private val THREADING = ObjectName("java.lang:type=Threading")
        private val MEMORY = ObjectName("java.lang:type=Memory")
        private val CLASSES = ObjectName("java.lang:type=ClassLoading")
        private val COMPILATION = ObjectName("java.lang:type=Compilation")
    }
}
