package threadgauge.server.work

import java.lang.management.ManagementFactory

/** How a server spreads requests over threads. The names are those that the bench knows. */
enum class Model { PLATFORM_THREADS, VIRTUAL_THREADS, EVENT_LOOP, COROUTINES }

/**
 * What a server says of itself at `GET /runtime`. The bench believes nothing else: a server that is not what its label
 * says is not measured. The JVM's part is read here; a stack adds what only it knows.
 */
data class ServerReport(
    val stack: String,
    val framework: String,
    val engine: String,
    val model: Model,
    /** The thread that ran the handler of this very request. */
    val handlerThread: Thread,
    /**
     * Most requests that can be inside a handler at one time, by the beginning of the path. An endpoint that is not
     * named has no such limit.
     */
    val concurrencyLimits: Map<String, Int>,
    /** As the framework counts it, in milliseconds. Null where it does not count. */
    val startupMillis: Double?,
    /** Effective settings that may decide a result. The same setting has the same name on all stacks. */
    val settings: Map<String, String>,
    /** Most connections that are served at one time; who comes later waits or is turned away. Null where there is no such limit. */
    val maxConnections: Int? = null,
) {
    val json: String
        get() = json(
            mapOf(
                "stack" to stack,
                "framework" to framework,
                "engine" to engine,
                "model" to model.name,
                "handlerThread" to mapOf("name" to handlerThread.name, "virtual" to handlerThread.isVirtual),
                "java" to javaVersion,
                "processors" to processors,
                "pid" to ProcessHandle.current().pid(),
                "collectors" to collectors,
                "heapMaxBytes" to heapMaxBytes,
                "concurrencyLimits" to concurrencyLimits,
                "maxConnections" to maxConnections,
                "maxCalls" to BackendClient.here?.maxCalls,
                "startupMillis" to startupMillis,
                "settings" to settings + jvmSettings,
            ),
        )

    companion object {
        private val javaVersion = "${System.getProperty("java.vm.name")} ${Runtime.version()}"
        private val processors get() = Runtime.getRuntime().availableProcessors()
        private val collectors get() = ManagementFactory.getGarbageCollectorMXBeans().map { it.name }
        private val heapMaxBytes get() = Runtime.getRuntime().maxMemory()

        private val jvmSettings
            get() = mapOf(
                "heap max" to "${heapMaxBytes / (1 shl 20)} MiB",
                "collectors" to collectors.joinToString(", "),
                "processors" to processors.toString(),
            )
    }
}

/** The beginnings of the paths that are measured, by which a stack states its limits. */
object MeasuredPaths {
    /** Those whose handler holds its thread until the answer is made, on any stack. */
    val holding = listOf("/hello", "/block", "/api/random")

    /** Those whose handler makes a call that blocks. Only stacks with a thread for each request make it right there. */
    val offloaded = listOf("/offload", "/fanout/sequential", "/fanout/executor", "/fanout/virtual")
    val all = holding + listOf("/delay", "/offload", "/mobile", "/fanout", "/customers")
}
