package threadgauge.model.judgement.cause

import threadgauge.model.Record
import threadgauge.model.profile.FlameKind
import threadgauge.model.profile.FlameSource
import threadgauge.model.profile.Flames
import threadgauge.model.profile.Frame

/** The call trees of a profile of a record, by the name of their file; null where there are none. */
fun interface FlameLookup {
    fun of(record: Record, file: String): Flames?

    companion object {
        val NONE = FlameLookup { _, _ -> null }
    }
}

/** Flame graphs of a stack in a situation, of one kind each. */
data class StackFlames(val stack: String, val situation: String, val graphs: List<FlameGraph>)

/** A flame graph whose values are per request: microseconds, or bytes of [FlameKind.ALLOCATION]. */
data class FlameGraph(
    val kind: FlameKind,
    val source: FlameSource,
    /** Number of observations that it was made of. */
    val samples: Long,
    /** Groups of threads, those with the largest value first. */
    val roots: List<FlameNode>,
    /** Methods that have most of it themselves, without what they call, the largest first. */
    val tops: List<FlameTop> = emptyList(),
    /** [roots] have the values of two profiles. */
    val isDifference: Boolean = false,
)

/** What a method itself has of a graph, without what it calls. */
data class FlameTop(val frame: Frame, val value: Double, val base: Double)

/** A method with what it calls, or a group of threads at the bottom of the graph. */
data class FlameNode(
    val kind: FrameKind,
    /** Null of a group of threads, and of what is too small to be shown. */
    val frame: Frame?,
    /** Name of the group of threads; null of a method. */
    val threads: String?,
    /** With all that it calls. */
    val value: Double,
    /** The same in the profile that it is compared with; 0 without one. */
    val base: Double,
    /** The largest first. They may be less than the whole. */
    val calls: List<FlameNode>,
) {
    /** By which nodes are drawn: of two profiles the mean of both, so that what is gone can be seen. */
    fun width(isDifference: Boolean): Double = if (isDifference) (value + base) / 2 else value
}

/** Whose code a frame is. */
enum class FrameKind { THREADS, OWN, LIBRARY, JDK, NATIVE, REST }
