package threadgauge.probe.profile.flame

import threadgauge.model.profile.CallTree
import threadgauge.model.profile.FlameKind
import threadgauge.model.profile.FlameSource
import threadgauge.model.profile.Flames
import threadgauge.model.profile.Frame
import threadgauge.model.profile.Running
import threadgauge.model.profile.SeenThreads
import threadgauge.probe.profile.EventSums
import threadgauge.probe.profile.SeenSums
import threadgauge.probe.profile.TraceTable

/**
 * Makes call trees of all that was observed in a window of [windowMillis]. [native] is what async-profiler saw, null
 * without it. Used once, by one thread.
 */
internal class FlameTrees(
    private val traces: TraceTable,
    private val events: EventSums,
    private val seen: SeenSums,
    private val native: NativeSamples?,
    private val windowMillis: Double,
) {
    private val index = FrameIndex()

    /**
     * Null where nothing was seen. [javaCpuMillis] is the CPU time of the threads that events can be of; null where it
     * is unknown.
     */
    fun flames(javaCpuMillis: Double?): Flames? {
        val trees = listOfNotNull(cpu(javaCpuMillis), wall(), allocation())
        return if (trees.isEmpty()) null else Flames(index.frames, trees)
    }

    private fun cpu(javaCpuMillis: Double?): CallTree? {
        val running = events.running()
        val all = running.sumOf { it.samples }
        val sampled = native?.takeIf { it.cpuSamples > 0 } ?: return CallTreeBuilder().run {
            val ofEach = if (all > 0 && javaCpuMillis != null) javaCpuMillis / all else CPU_SAMPLE_MILLIS.toDouble()
            running.forEach { add(it, it.samples * ofEach) }
            built(FlameKind.CPU, FlameSource.EVENTS, all)
        }
        return CallTreeBuilder().run {
            sampled.cpu().forEach { add(it.threads, false, it.frames, it.samples * CPU_SAMPLE_MILLIS) }
            addVirtual(running.filter { it.isVirtual }, sampled.ofVirtual.toDouble() * CPU_SAMPLE_MILLIS)
            built(FlameKind.CPU, FlameSource.NATIVE, sampled.cpuSamples)
        }
    }

    /** As much as the native samples say, divided as the events are, which see all frames of a virtual thread. */
    private fun CallTreeBuilder.addVirtual(running: List<Running>, millis: Double) {
        val all = running.sumOf { it.samples }
        if (all == 0L) add("", true, emptyList(), millis) else running.forEach { add(it, millis * it.samples / all) }
    }

    /** Virtual threads that wait are on no thread that could be sampled, so they are from dumps. */
    private fun wall(): CallTree? {
        val rows = seen.seen()
        val sampled = native?.takeIf { it.wallSamples > 0 } ?: return CallTreeBuilder().run {
            rows.forEach { add(it) }
            built(FlameKind.WALL, FlameSource.DUMPS, seen.dumps.toLong())
        }
        return CallTreeBuilder().run {
            sampled.wall().forEach { add(it.threads, false, it.frames, it.samples * windowMillis) }
            rows.filter { it.isVirtual }.forEach { add(it) }
            built(FlameKind.WALL, FlameSource.NATIVE, sampled.wallSamples)
        }
    }

    private fun allocation(): CallTree? = CallTreeBuilder().run {
        val all = events.allocations()
        for (row in all) {
            val frames = row.trace?.let { traces[it].frames }.orEmpty()
            add(row.threads, row.isVirtual, listOf(Frame(row.type, NEW)) + frames, row.bytes.toDouble())
        }
        built(FlameKind.ALLOCATION, FlameSource.EVENTS, all.sumOf { it.samples })
    }

    private fun CallTreeBuilder.add(row: Running, millis: Double) =
        add(row.threads, row.isVirtual, row.trace?.let { traces[it].frames }.orEmpty(), millis)

    private fun CallTreeBuilder.add(row: SeenThreads) =
        add(row.threads, row.isVirtual, traces[row.trace].frames, row.mean * windowMillis)

    private fun CallTreeBuilder.built(kind: FlameKind, source: FlameSource, samples: Long) =
        tree(kind, source, samples, index, traces::fileOf)

    private companion object {
        const val NEW = "new"
    }
}
