package threadgauge.probe.profile

import java.nio.file.Path
import java.util.IdentityHashMap
import jdk.jfr.consumer.RecordedClass
import jdk.jfr.consumer.RecordedEvent
import jdk.jfr.consumer.RecordedFrame
import jdk.jfr.consumer.RecordedStackTrace
import jdk.jfr.consumer.RecordedThread
import jdk.jfr.consumer.RecordingFile
import threadgauge.model.profile.Frame
import threadgauge.model.profile.Running
import threadgauge.model.profile.Trace
import threadgauge.model.profile.WaitCause
import threadgauge.model.profile.Waits
import threadgauge.probe.profile.dump.readableType

/**
 * Adds up the events of a recording within [window], by cause, group of threads and place. Events of the JVM's own
 * threads are left out. Belongs to one thread.
 */
internal class EventSums(private val window: EventWindow, private val traces: TraceTable) {
    private val waited = HashMap<WaitKey, Sum>()
    private val ran = HashMap<RunKey, Sum>()
    private val known = IdentityHashMap<RecordedStackTrace, Int?>()
    private val names = HashMap<Long, String>()

    private val allocated = HashMap<Pair<RunKey, String>, Sum>()

    /** Stops of all threads for garbage collection, in nanoseconds within the window. */
    var pauseNanos = 0L
        private set

    /** Names of Java threads by the number that the kernel gave them. */
    val threadNames: Map<Long, String> get() = names

    /** Adds all events of [file], which is read event by event. Throws `IOException`. */
    fun addAll(file: Path) = RecordingFile(file).use { while (it.hasMoreEvents()) add(it.readEvent()) }

    fun add(event: RecordedEvent) {
        when (event.eventType.name) {
            SLEEP -> waited(event, WaitCause.SLEEP) { null }
            PARK -> waited(event, WaitCause.PARK) { it.className("parkedClass") }
            // The line is that of the lock in compiled code, and that of the next instruction where a method is still
            // interpreted: TemplateTable::monitorenter of HotSpot advances before it locks, so dumps have it, too.
            MONITOR_ENTER -> waited(event, WaitCause.MONITOR) { it.className("monitorClass") }
            MONITOR_WAIT -> waited(event, WaitCause.OBJECT_WAIT) { it.className("monitorClass") }
            SOCKET_READ -> waited(event, WaitCause.SOCKET_READ) { it.peer() }
            SOCKET_WRITE -> waited(event, WaitCause.SOCKET_WRITE) { it.peer() }
            FILE_READ, FILE_WRITE -> waited(event, WaitCause.FILE) { it.text("path") }
            PINNED -> waited(event, WaitCause.PINNED) { it.text("pinnedReason") }
            EXECUTION_SAMPLE -> ran(event, event.thread("sampledThread"))
            CPU_SAMPLE -> ran(event, event.thread("eventThread"))
            ALLOCATION -> allocated(event)
            COLLECTION_PAUSE -> pauseNanos += window.overlap(event.startTime.epochNanos, event.endTime.epochNanos)
            EVERY_THREAD, THREAD_START -> name(event.thread("thread"))
        }
    }

    /** The longest sum first. */
    fun waits(): List<Waits> = waited.map { (key, sum) ->
        Waits(key.cause, key.threads, key.isVirtual, key.trace, sum.count, sum.amount / 1e6, key.on)
    }.sortedByDescending { it.millis }

    /** The most frequent first. */
    fun running(): List<Running> =
        ran.map { (key, sum) -> Running(key.threads, key.isVirtual, key.trace, sum.count) }
            .sortedByDescending { it.samples }

    /** The largest sum first. */
    fun allocations(): List<Allocations> = allocated.map { (key, sum) ->
        Allocations(key.first.threads, key.first.isVirtual, key.first.trace, key.second, sum.count, sum.amount)
    }.sortedByDescending { it.bytes }

    private fun waited(event: RecordedEvent, cause: WaitCause, on: (RecordedEvent) -> String?) {
        val end = event.endTime.epochNanos
        val thread = event.thread("eventThread") ?: return
        name(thread)
        if (end !in window || thread.isOfJvm) return
        val key = WaitKey(cause, thread.group, thread.isVirtual, indexOf(event.stackTrace), on(event))
        waited.getOrPut(key, ::Sum).add(window.overlap(event.startTime.epochNanos, end))
    }

    private fun ran(event: RecordedEvent, thread: RecordedThread?) {
        if (thread == null) return
        name(thread)
        if (event.startTime.epochNanos !in window || thread.isOfJvm) return
        val key = RunKey(thread.group, thread.isVirtual, indexOf(event.stackTrace))
        ran.getOrPut(key, ::Sum).add(0)
    }

    private fun allocated(event: RecordedEvent) {
        val thread = event.thread("eventThread") ?: return
        if (event.startTime.epochNanos !in window || thread.isOfJvm) return
        val key = RunKey(thread.group, thread.isVirtual, indexOf(event.stackTrace))
        val type = event.className("objectClass")?.let(::readableType) ?: UNKNOWN_TYPE
        allocated.getOrPut(key to type, ::Sum).add(event.getLong("weight"))
    }

    private fun name(thread: RecordedThread?) {
        val name = thread?.javaName
        if (name != null && !thread.isVirtual && thread.osThreadId > 0) names[thread.osThreadId] = name
    }

    /** Many events share one object of the parser, so each is translated once. */
    private fun indexOf(stack: RecordedStackTrace?): Int? {
        if (stack == null) return null
        if (known.size > MAX_KNOWN) known.clear()
        if (!known.containsKey(stack)) known[stack] = traces.indexOf(framesOf(stack))
        return known[stack]
    }

    private fun framesOf(stack: RecordedStackTrace): List<Frame> =
        stack.frames.filter { it.isJavaFrame }.take(Trace.MAX_FRAMES).map(::frameOf)

    private fun frameOf(frame: RecordedFrame): Frame {
        val type = plainType(frame.method.type.name)
        return Frame(type, frame.method.name, frame.lineNumber.takeIf { it > 0 }, traces.fileOf(type))
    }

    private data class WaitKey(
        val cause: WaitCause,
        val threads: String,
        val isVirtual: Boolean,
        val trace: Int?,
        val on: String?,
    )

    private data class RunKey(val threads: String, val isVirtual: Boolean, val trace: Int?)

    private class Sum {
        var count = 0L
            private set

        /** In nanoseconds or bytes. */
        var amount = 0L
            private set

        fun add(more: Long) {
            count++
            amount += more
        }
    }

    private companion object {
        const val MAX_KNOWN = 10_000
        const val UNKNOWN_TYPE = "?"
    }
}

/** What threads of one group allocated at one place, as far as it was sampled. */
internal class Allocations(
    val threads: String,
    val isVirtual: Boolean,
    /** Index in the [TraceTable]. */
    val trace: Int?,
    /** Class of the objects. */
    val type: String,
    val samples: Long,
    val bytes: Long,
)

private val RecordedThread.isOfJvm: Boolean get() = !isVirtual && (javaName == null || isOfJvm(javaName))

private val RecordedThread.group: String get() = if (isVirtual) groupOfVirtual(javaName) else groupOf(javaName)

private fun RecordedEvent.thread(field: String): RecordedThread? = if (hasField(field)) getValue(field) else null

private fun RecordedEvent.text(field: String): String? = if (hasField(field)) getString(field) else null

private fun RecordedEvent.className(field: String): String? =
    if (hasField(field)) getValue<RecordedClass?>(field)?.let { plainType(it.name) } else null

/** `host:port`, with the address where the host has no name. */
private fun RecordedEvent.peer(): String? {
    val host = text("host")?.ifEmpty { null } ?: text("address") ?: return null
    return "$host:${getInt("port")}"
}
