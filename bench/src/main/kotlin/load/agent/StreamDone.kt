package threadgauge.load.agent

import kotlinx.serialization.Serializable
import threadgauge.load.record.StreamRecorder

/** The messages of an agent's streams within the window. Histograms are as in [AgentMessage.Second.latency]. */
@Serializable
data class StreamDone(
    val messages: Long,
    /** From sending a request to its first message. */
    val first: String,
    /** From one message of a stream to its next. */
    val gaps: String,
)

/** Of all event loops; null where there are no streams. */
internal fun streamDone(all: List<StreamRecorder>): StreamDone? = if (all.isEmpty()) null else StreamDone(
    messages = all.sumOf { it.messages },
    first = encode(sum(all.map { it.first })),
    gaps = encode(sum(all.map { it.gaps })),
)

/** The sum over slices or agents; null without any. */
internal fun mergeStreams(all: List<StreamDone>): StreamDone? = if (all.isEmpty()) null else StreamDone(
    messages = all.sumOf { it.messages },
    first = encode(sum(all.map { decode(it.first) })),
    gaps = encode(sum(all.map { decode(it.gaps) })),
)
