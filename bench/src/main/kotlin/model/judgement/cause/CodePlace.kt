package threadgauge.model.judgement.cause

import kotlinx.serialization.Serializable
import threadgauge.model.profile.Frame

/** A place in the code from which something is done. */
@Serializable
data class CodePlace(
    /** The frame of the user's code nearest to what is done; of a library, where no code of the user is in it. */
    val at: Frame,
    /** [at] is the user's code. */
    val isOwn: Boolean,
    /** The method that [at] called, such as `java.lang.Thread.sleep`; null where it runs itself. */
    val calls: Frame? = null,
    /** The nearest frame of the user's code in another file, from which [at] was called; null where there is none. */
    val calledFrom: Frame? = null,
)

/** Where the processor spends time. */
@Serializable
data class HotPlace(
    /** With the line that was seen most often. */
    val place: CodePlace,
    /** Share of the samples, 0 to 1. */
    val share: Double,
)

/** A wait that keeps threads of a group busy. */
@Serializable
data class GroupWait(
    val kind: TimeKind,
    val place: CodePlace?,
    /** As [TimePart.on]. */
    val on: String?,
    /** Share of the time of all threads of the group, 0 to 1. */
    val share: Double,
)
