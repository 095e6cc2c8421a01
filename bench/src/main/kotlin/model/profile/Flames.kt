package threadgauge.model.profile

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/**
 * Call trees of one profiled load: what a flame graph is drawn from. They are larger than a record should be, so each
 * profile has them in a file of its own beside the record, whose name is [Profile.flames].
 */
@Serializable
data class Flames(
    /** Methods without duplicates; the trees refer to them by their index. */
    val frames: List<Frame>,
    val trees: List<CallTree>,
)

/** One call tree. Methods that differ in their line only are one node, with the line that was seen most often. */
@Serializable
data class CallTree(
    val kind: FlameKind,
    val source: FlameSource,
    /** Number of observations that it was made of. */
    val samples: Long,
    val groups: List<GroupCalls>,
)

/** The part of a call tree that threads of one group have, from the outermost method inwards. */
@Serializable
data class GroupCalls(
    /** As [ThreadGroup.name]; of virtual threads as [Running.threads]. */
    val threads: String,
    val isVirtual: Boolean,
    val calls: List<CallNode>,
)

/** A method with what it calls. */
@Serializable
data class CallNode(
    /** Index in [Flames.frames]; [REST] for all those together that are too small to be kept. */
    @SerialName("f") val frame: Int,
    /** In this method itself, without what it calls, over the window of the profile. The unit is that of its kind. */
    @SerialName("v") val own: Double = 0.0,
    @SerialName("c") val calls: List<CallNode> = emptyList(),
) {
    companion object {
        const val REST = -1

        /** Share of a tree below which a node is not kept: a tree then has at most a thousand nodes at each depth. */
        const val MIN_SHARE = 0.001
    }
}

/** What a call tree adds up. */
@Serializable
enum class FlameKind {
    /** CPU time, in milliseconds. */
    CPU,

    /** Time of threads, running or not, in milliseconds: two threads that sleep for a second are two seconds. */
    WALL,

    /** Allocated memory, in bytes; in the innermost place is the class that was allocated. */
    ALLOCATION,
}

/** Where a call tree is from. */
@Serializable
enum class FlameSource {
    /** async-profiler, in the process itself. It sees native code and the JVM's own threads, too. */
    NATIVE,

    /** Events of JFR: threads in Java code, and at most [Trace.MAX_FRAMES] frames of each trace. */
    EVENTS,

    /** Dumps of all threads: cut like those of events. */
    DUMPS,
}

/** The type of a frame of native code has the name of its library, such as `libjvm.so`, or this where it is unknown. */
const val NATIVE_TYPE: String = "native"

/** It is of native code: of the JVM or of another library. */
val Frame.isNative: Boolean get() = type == NATIVE_TYPE || ".so" in type
