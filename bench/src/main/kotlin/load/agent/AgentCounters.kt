package threadgauge.load.agent

import java.lang.management.ManagementFactory
import java.nio.ByteBuffer
import java.util.Base64
import org.HdrHistogram.Histogram

/**
 * The agent's own counters at one moment; the difference of two is what a load cost the agent. CPU time is that of the
 * process, allocation that of its event loops.
 */
internal data class AgentCounters(
    val cpuNanos: Long,
    val collections: Long,
    val collectionMillis: Long,
    val allocatedBytes: Long,
) {
    operator fun minus(earlier: AgentCounters) = AgentCounters(
        cpuNanos - earlier.cpuNanos,
        collections - earlier.collections,
        collectionMillis - earlier.collectionMillis,
        allocatedBytes - earlier.allocatedBytes,
    )

    companion object {
        /** Reads the counters. [loopThreads] are the threads whose allocation counts: the event loops. */
        fun now(loopThreads: LongArray): AgentCounters {
            val threads = ManagementFactory.getThreadMXBean() as com.sun.management.ThreadMXBean
            val system = ManagementFactory.getOperatingSystemMXBean() as com.sun.management.OperatingSystemMXBean
            val collectors = ManagementFactory.getGarbageCollectorMXBeans()
            return AgentCounters(
                system.processCpuTime,
                collectors.sumOf { maxOf(0, it.collectionCount) },
                collectors.sumOf { maxOf(0, it.collectionTime) },
                threads.getThreadAllocatedBytes(loopThreads).sum(),
            )
        }
    }
}

/** HdrHistogram's compressed form in Base64, as in its log files. */
internal fun encode(histogram: Histogram): String {
    val buffer = ByteBuffer.allocate(histogram.neededByteBufferCapacity)
    val length = histogram.encodeIntoCompressedByteBuffer(buffer)
    return Base64.getEncoder().encodeToString(buffer.array().copyOf(length))
}

/** The histogram that [encode] wrote. Throws `DataFormatException` or `IllegalArgumentException` on anything else. */
fun decode(text: String): Histogram =
    Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0)
