package threadgauge.server.work

import java.lang.management.ManagementFactory

/** How a server spreads requests over threads. The bench knows the same names. */
enum class Model { PLATFORM_THREADS, VIRTUAL_THREADS, EVENT_LOOP, COROUTINES }

/**
 * A server's report of itself at `GET /runtime`. The bench compares it with the stack's description, and does not
 * measure a server that differs. The JVM's part is read here; a stack adds its own part.
 */
data class ServerReport(
    val stack: String,
    val framework: String,
    val engine: String,
    val model: Model,
    /** The thread that runs the handler of this request. */
    val handlerThread: Thread,
    /** Limit of concurrent requests inside a handler, by the beginning of the path. A missing endpoint has no limit. */
    val concurrencyLimits: Map<String, Int>,
    /** As the framework measures it, in milliseconds. Null where it does not. */
    val startupMillis: Double?,
    /** Effective settings that may decide a result. The same setting has the same name on all stacks. */
    val settings: Map<String, String>,
    /** Limit of connections served at one time. Further ones wait or are rejected. Null without a limit. */
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

/** Beginnings of the measured paths, for the limits that a stack reports. */
object MeasuredPaths {
    /** The handler holds its thread until it has the answer, on every stack. */
    val holding = listOf("/hello", "/block", "/api/random")

    /** The handler makes a blocking call. Only stacks with a thread per request make it on that thread. */
    val offloaded = listOf("/offload", "/fanout/sequential", "/fanout/executor", "/fanout/virtual")
    val all = holding + listOf("/delay", "/offload", "/mobile", "/fanout", "/customers")
}
