package threadgauge.wording.cause

import threadgauge.model.judgement.cause.FlameGraph
import threadgauge.model.judgement.cause.FlameNode
import threadgauge.model.judgement.cause.FrameKind
import threadgauge.model.profile.FlameKind
import threadgauge.model.profile.FlameSource
import threadgauge.model.profile.Frame
import threadgauge.model.profile.isNative
import threadgauge.wording.digits
import threadgauge.wording.whole

/** What a graph shows: "CPU time". */
internal val FlameKind.label: String get() = when (this) {
    FlameKind.CPU -> "CPU time"
    FlameKind.WALL -> "Time of threads within requests"
    FlameKind.ALLOCATION -> "Allocation"
}

/** "CPU time: 214 µs per request". */
internal fun FlameGraph.title(): String {
    val now = amount(roots.sumOf { it.value })
    return "${kind.label}: " + if (isDifference) "${amount(roots.sumOf { it.base })} before, $now now" else now
}

private fun FlameGraph.amount(value: Double) = when {
    kind == FlameKind.ALLOCATION -> "${whole(value)} bytes per request"
    value >= MILLI -> "${digits(value / MILLI)} ms per request"
    else -> "${digits(value)} µs per request"
}

private const val MILLI = 1_000.0

/** Where a graph is from, and what it leaves out. */
internal fun FlameGraph.note(): String = when (kind) {
    FlameKind.CPU -> when (source) {
        FlameSource.NATIVE -> "From ${whole(samples)} samples of async-profiler, one for each 10 ms of CPU time of a " +
            "thread, the JVM's own threads included. Stacks of virtual threads are those of JFR."
        else -> "From ${whole(samples)} samples of JFR: Java code, without the JVM's own threads, and the innermost " +
            "64 frames of each stack."
    }
    FlameKind.WALL -> when (source) {
        FlameSource.NATIVE -> "From ${whole(samples)} samples of async-profiler by the clock; virtual threads are " +
            "from dumps. Threads that wait for work are left out."
        else -> "From ${whole(samples)} dumps of all threads. Threads that wait for work are left out."
    }
    FlameKind.ALLOCATION -> "From ${whole(samples)} sampled allocations of JFR. The class is in the innermost frame."
}

/** Short enough for a frame: "Endpoints.block", "new byte[]", the name of a group of threads. */
internal val FlameNode.label: String
    get() = frame?.label ?: threads?.ifEmpty { "threads without a name" } ?: "small ones"

/** The same in full, with the package. */
internal val FlameNode.note: String
    get() = frame?.let { if (it.isNew) it.label(it.type) else "${it.type}.${it.method}" }
        ?: if (threads != null) "threads $label" else "calls that are too small to be kept"

/** "Endpoints.kt:31"; empty where it is unknown. */
internal val FlameNode.source: String get() = frame?.place.orEmpty()

/** Without the package. */
internal val Frame.label: String get() = when {
    isNative -> method
    isNew -> label(shortClassName(type))
    type.isEmpty() -> method
    else -> "${shortClassName(type)}.$method"
}

/** "Endpoints.kt:31"; null where the file is unknown. */
internal val Frame.place: String? get() = file?.let { if (line == null) it else "$it:$line" }

private fun Frame.label(type: String) = "new $type"

/** An allocation has the class that is made in place of a method. */
private val Frame.isNew get() = method == "new"

/** What the colour of a frame means; null where it needs no words. */
internal val FrameKind.legend: String? get() = when (this) {
    FrameKind.OWN -> "your code"
    FrameKind.LIBRARY -> "libraries"
    FrameKind.JDK -> "JDK"
    FrameKind.NATIVE -> "native code"
    FrameKind.THREADS -> "groups of threads"
    FrameKind.REST -> null
}
