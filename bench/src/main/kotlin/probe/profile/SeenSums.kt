package threadgauge.probe.profile

import java.lang.management.ThreadInfo
import kotlin.io.path.inputStream
import threadgauge.model.profile.Frame
import threadgauge.model.profile.SeenThreads
import threadgauge.model.profile.Trace
import threadgauge.probe.profile.dump.DumpedThread
import threadgauge.probe.profile.dump.RawDump
import threadgauge.probe.profile.dump.frameIn
import threadgauge.probe.profile.dump.framesOf
import threadgauge.probe.profile.dump.readDump

/**
 * Adds up the threads of several dumps by group, state and place. The JVM's own threads, and those without a stack, are
 * left out. What dumps show of source files is kept in [traces]. Belongs to one thread.
 */
internal class SeenSums(private val traces: TraceTable) {
    private val counts = HashMap<Key, Int>()

    /** Number of dumps so far. */
    var dumps = 0
        private set

    /** Adds a dump. Throws `IOException` and `SerializationException` if its file cannot be read. */
    fun add(dump: RawDump) {
        val platform = dump.platform?.map { ThreadInfo.from(it) }.orEmpty()
        platform.forEach(::add)
        val ids = platform.mapTo(HashSet()) { "${it.threadId}" }
        dump.file?.inputStream()?.buffered()?.use { stream ->
            // Before JDK 24 the file does not say which threads are virtual, but the other dump has none of these.
            readDump(stream) { if (dump.platform == null) add(it, it.virtual) else if (it.tid !in ids) add(it, true) }
        }
        dumps++
    }

    /** The most frequent first. */
    fun seen(): List<SeenThreads> = counts.map { (key, count) ->
        SeenThreads(key.threads, key.isVirtual, key.state, key.trace, count.toDouble() / dumps, key.on)
    }.sortedByDescending { it.mean }

    private fun add(thread: ThreadInfo) {
        if (isOfJvm(thread.threadName)) return
        val on = thread.lockInfo?.className?.let(::plainType)
        count(groupOf(thread.threadName), false, thread.threadState.name, framesOf(thread.stackTrace), on)
    }

    private fun add(thread: DumpedThread, isVirtual: Boolean) {
        if (!isVirtual && isOfJvm(thread.name)) return
        val group = if (isVirtual) groupOfVirtual(thread.name) else groupOf(thread.name)
        count(group, isVirtual, thread.state, thread.stack.take(Trace.MAX_FRAMES).mapNotNull(::frameIn), thread.on)
    }

    private fun count(threads: String, isVirtual: Boolean, state: String?, frames: List<Frame>, on: String?) {
        for (frame in frames) frame.file?.let { traces.learn(frame.type, it) }
        val trace = traces.indexOf(frames) ?: return
        counts.merge(Key(threads, isVirtual, state, trace, on), 1, Int::plus)
    }

    private data class Key(
        val threads: String,
        val isVirtual: Boolean,
        val state: String?,
        val trace: Int,
        val on: String?,
    )
}
