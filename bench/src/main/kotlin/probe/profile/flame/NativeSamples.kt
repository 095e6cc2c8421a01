package threadgauge.probe.profile.flame

import java.nio.file.Path
import java.util.IdentityHashMap
import jdk.jfr.consumer.RecordedEvent
import jdk.jfr.consumer.RecordedFrame
import jdk.jfr.consumer.RecordedStackTrace
import jdk.jfr.consumer.RecordedThread
import jdk.jfr.consumer.RecordingFile
import threadgauge.model.profile.Frame
import threadgauge.model.profile.NATIVE_TYPE
import threadgauge.probe.profile.EventWindow
import threadgauge.probe.profile.epochNanos
import threadgauge.probe.profile.groupOf
import threadgauge.probe.profile.plainType

/** Samples of threads of one group with the same trace. [frames] begin with the innermost. */
internal class SampledStack(val threads: String, val frames: List<Frame>, val samples: Double)

/**
 * What async-profiler saw within [window]. Samples of virtual threads are only counted: the profiler sees none of the
 * frames below those that were resumed last. Belongs to one thread.
 */
internal class NativeSamples(private val window: EventWindow) {
    private val cpu = HashMap<Pair<String, List<Frame>>, Int>()
    private val wall = HashMap<Long, HashMap<Pair<String, List<Frame>>, Int>>()
    private val known = IdentityHashMap<RecordedStackTrace, List<Frame>>()

    /** CPU samples in virtual threads. */
    var ofVirtual = 0L
        private set

    /** All CPU samples. */
    var cpuSamples = 0L
        private set

    /** Samples of platform threads by the clock. */
    var wallSamples = 0L
        private set

    /** Adds all events of [file], which is read event by event. Throws `IOException`. */
    fun addAll(file: Path) = RecordingFile(file).use { while (it.hasMoreEvents()) add(it.readEvent()) }

    /** Of platform threads and of the JVM's own. */
    fun cpu(): List<SampledStack> = cpu.map { (key, count) -> SampledStack(key.first, key.second, count.toDouble()) }

    /**
     * Of platform threads, as the share of the window that a thread spends in it: each thread is sampled equally often,
     * so that of those with the most samples is the number of a thread that was there all the time.
     */
    fun wall(): List<SampledStack> {
        val counts = wall.values.map { it.values.sum() }.sorted()
        val whole = counts.getOrNull(counts.size * WHOLE_PERCENT / 100)?.toDouble() ?: return emptyList()
        return wall.values.flatMap { it.entries }.groupBy({ it.key }, { it.value })
            .map { (key, all) -> SampledStack(key.first, key.second, all.sum() / whole) }
    }

    private fun add(event: RecordedEvent) {
        if (event.eventType.name != SAMPLE || event.startTime.epochNanos !in window) return
        val thread = event.getValue<RecordedThread?>("sampledThread") ?: return
        val frames = framesOf(event.stackTrace ?: return)
        val isOfVirtual = frames.any { it.isOfVirtualThread }
        val group = groupOf(thread.javaName ?: thread.osName ?: "")
        if (event.getString("state") == OF_CPU) {
            cpuSamples++
            if (isOfVirtual) ofVirtual++ else cpu.merge(group to frames, 1, Int::plus)
        } else if (thread.javaThreadId > 0 && !isOfVirtual) {
            wallSamples++
            wall.getOrPut(thread.javaThreadId, ::HashMap).merge(group to frames, 1, Int::plus)
        }
    }

    private fun framesOf(stack: RecordedStackTrace): List<Frame> {
        if (known.size > MAX_KNOWN) known.clear()
        return known.getOrPut(stack) { stack.frames.map(::frameOf) }
    }

    private fun frameOf(frame: RecordedFrame): Frame {
        val type = frame.method.type?.name.orEmpty()
        if (frame.type in NATIVE) {
            // Without parameters and without what the compiler adds to a name, such as `.constprop.0`.
            val name = frame.method.name.substringBefore('(').substringBefore('.').ifEmpty { frame.method.name }
            return Frame(type.ifEmpty { NATIVE_TYPE }, name)
        }
        return Frame(plainType(type), frame.method.name, frame.lineNumber.takeIf { it > 0 })
    }

    private companion object {
        const val SAMPLE = "jdk.ExecutionSample"

        /** State of samples by CPU time; those by the clock have the state of their thread. */
        const val OF_CPU = "STATE_DEFAULT"
        val NATIVE = setOf("Native", "C++", "Kernel")
        const val MAX_KNOWN = 10_000

        /** Threads that begin or end within the window have fewer samples than others, and are few. */
        const val WHOLE_PERCENT = 90
    }
}

/** Frames that only virtual threads have; the last is that of the JVM below which frames are not on the stack. */
private val Frame.isOfVirtualThread
    get() = type == "java.lang.VirtualThread" && method == "run" ||
        type == "jdk.internal.vm.Continuation" && method.startsWith("enter") || method == "cont_returnBarrier"
