package threadgauge.probe.profile

import threadgauge.model.profile.Profile

/**
 * Settings of a recording, by `event#setting`; a JVM ignores those that it lacks. Code that runs is sampled by CPU time
 * where [samplesCpuTime] is set (JEP 509). The other sampler takes a few threads at a time, those in Java code alone.
 */
internal fun eventSettings(samplesCpuTime: Boolean): Map<String, String> = buildMap {
    fun on(event: String, vararg settings: Pair<String, String>) {
        put("$event#enabled", "true")
        settings.forEach { (name, value) -> put("$event#$name", value) }
    }
    // Java 25 and newer can leave events out, of which sums would not be true.
    for (event in WAITS) {
        on(event, "threshold" to "${Profile.WAIT_MILLIS} ms", "stackTrace" to "true", "throttle" to "off")
    }
    on(COLLECTION_PAUSE, "threshold" to "0 ms")
    if (samplesCpuTime) on(CPU_SAMPLE, "throttle" to SAMPLING, "stackTrace" to "true")
    else on(EXECUTION_SAMPLE, "period" to SAMPLING, "stackTrace" to "true")
    on(ALLOCATION, "throttle" to ALLOCATIONS, "stackTrace" to "true")
    // One event for each thread, with the number of the kernel and the name.
    on(EVERY_THREAD, "period" to "endChunk")
    on(THREAD_START, "stackTrace" to "false")
}

/**
 * Whether a JVM of feature version [java] may be sampled by CPU time. It is experimental in Java 25 and 26, where it
 * has ended processes when JFR wrote its file (github.com/DataDog/dd-trace-java/issues/11749), so only one that
 * [isOurs] is: it was started for this run, and everything of it is measured.
 */
internal fun samplesCpuTime(java: Int, isOurs: Boolean): Boolean =
    isOurs && java >= CPU_SAMPLES_SINCE && System.getProperty("os.name") == "Linux"

internal const val SLEEP = "jdk.ThreadSleep"
internal const val PARK = "jdk.ThreadPark"
internal const val MONITOR_ENTER = "jdk.JavaMonitorEnter"
internal const val MONITOR_WAIT = "jdk.JavaMonitorWait"
internal const val SOCKET_READ = "jdk.SocketRead"
internal const val SOCKET_WRITE = "jdk.SocketWrite"
internal const val FILE_READ = "jdk.FileRead"
internal const val FILE_WRITE = "jdk.FileWrite"
internal const val PINNED = "jdk.VirtualThreadPinned"
internal const val COLLECTION_PAUSE = "jdk.GCPhasePause"
internal const val EXECUTION_SAMPLE = "jdk.ExecutionSample"
internal const val CPU_SAMPLE = "jdk.CPUTimeSample"
internal const val ALLOCATION = "jdk.ObjectAllocationSample"
internal const val EVERY_THREAD = "jdk.ThreadAllocationStatistics"
internal const val THREAD_START = "jdk.ThreadStart"

private val WAITS =
    listOf(SLEEP, PARK, MONITOR_ENTER, MONITOR_WAIT, SOCKET_READ, SOCKET_WRITE, FILE_READ, FILE_WRITE, PINNED)
private const val CPU_SAMPLES_SINCE = 25
private const val SAMPLING = "10 ms"

/** As in the JDK's own `default.jfc`. Each stands for what its thread has allocated since the one before. */
private const val ALLOCATIONS = "150/s"
