package threadgauge.judge.cause

import threadgauge.model.judgement.cause.CodePlace
import threadgauge.model.judgement.cause.ThreadRole
import threadgauge.model.judgement.cause.TimeKind
import threadgauge.model.profile.Frame
import threadgauge.model.profile.Trace
import threadgauge.model.profile.WaitCause

/** What a thread does within a request. [kind] is null where it is in none: it waits for work. */
internal class TraceReading(val kind: TimeKind?, val place: CodePlace? = null, val on: String? = null)

/**
 * What a thread with [trace] does: a thread of a dump with its [state], or a wait that was recorded with its [cause].
 * [on] is what it waits for, as the JVM says it.
 */
internal fun readTrace(
    trace: Trace?,
    role: ThreadRole,
    state: String? = null,
    cause: WaitCause? = null,
    on: String? = null,
): TraceReading {
    // Carriers run virtual threads, which are seen themselves.
    if (role == ThreadRole.JVM || role == ThreadRole.OTHER || role == ThreadRole.CARRIER) return NOT_IN_REQUEST
    if (trace == null) return TraceReading(cause?.let(::kindWithoutTrace), on = on)
    val view = TraceView(trace, role, state, cause)
    if (view.above.any { it isOneOf TraceCatalogue.idle }) return NOT_IN_REQUEST
    view.lookup?.let { return TraceReading(TimeKind.NAME_LOOKUP, it) }
    val database = NamedResources.databaseOf(view.above)
    val pool = NamedResources.poolOf(view.above).takeUnless { view.isSocket }
    return when {
        view.isReadyForCarrier -> TraceReading(TimeKind.THREAD)
        pool != null && view.waits -> view.reading(TimeKind.CONNECTION_POOL, pool)
        view.isSleep -> view.reading(TimeKind.SLEEP)
        view.isSocket -> when {
            database != null -> view.reading(TimeKind.DATABASE, database)
            view.callsOut -> view.reading(TimeKind.BACKEND, on)
            // The server's own connection: it waits for the next request of a client, or for one that reads slowly.
            else -> NOT_IN_REQUEST
        }
        view.isLock -> view.reading(TimeKind.LOCK, view.ownerOfLock(on))
        view.isFile -> view.reading(TimeKind.FILE, on.takeIf { cause == WaitCause.FILE })
        !view.waits -> view.reading(TimeKind.CPU)
        database != null -> view.reading(TimeKind.DATABASE, database)
        NamedResources.isClient(view.above) -> view.reading(TimeKind.BACKEND)
        view.waitsWithinRequest -> view.reading(TimeKind.OTHER_THREAD)
        else -> NOT_IN_REQUEST
    }
}

private class TraceView(
    private val trace: Trace,
    private val role: ThreadRole,
    private val state: String?,
    private val cause: WaitCause?,
) {
    private val hasOwn = trace.frames.any(LibraryCode::isOwn)
    private val place by lazy { placeOf(trace) }

    /** From the top to the user's code: what the user called, and what that does. */
    val above: List<Frame> = trace.frames.takeWhile { !LibraryCode.isOwn(it) }
    private val top = above.take(TOP)
    private val isParked = top.any { it isOneOf TraceCatalogue.parks }

    val isSleep = cause == WaitCause.SLEEP || cause == null && top.any { it isOneOf TraceCatalogue.sleeps }
    val isSocket = cause == WaitCause.SOCKET_READ || cause == WaitCause.SOCKET_WRITE ||
        cause == null && top.any { it isOneOf TraceCatalogue.sockets }
    val isLock = cause == WaitCause.MONITOR || cause != WaitCause.OBJECT_WAIT &&
        (state == "BLOCKED" || isParked && above.any { it isOneOf TraceCatalogue.locks })
    val isFile = cause == WaitCause.FILE || cause == null && top.any { it isOneOf TraceCatalogue.files }

    /** The place that asks for the address of a name. What finds it may be code of the user's, too, and wait itself. */
    val lookup: CodePlace? get() = trace.frames.indexOfLast { it isOneOf TraceCatalogue.nameLookups }
        .takeIf { it >= 0 }?.let { placeOf(trace, from = it + 1) }

    val waits = cause != null || isSleep || if (state == null) isParked else state != "RUNNABLE"

    /** A virtual thread that could go on, if a carrier were free. */
    val isReadyForCarrier = role == ThreadRole.VIRTUAL && cause == null && state == "RUNNABLE" &&
        top.take(2).any { it isOneOf TraceCatalogue.parks }

    val callsOut get() = hasOwn && cause != WaitCause.SOCKET_WRITE || NamedResources.isClient(above)

    /** Without code of the user, a thread that waits is not known to be in a request. */
    val waitsWithinRequest get() =
        if (hasOwn) !isOwnQueue else trace.frames.any { it isOneOf TraceCatalogue.servers }

    /** A worker of the user's own that takes its next task or message from its queue. */
    private val isOwnQueue get() =
        role == ThreadRole.BLOCKING_POOL && above.lastOrNull()?.let { it isOneOf TraceCatalogue.queues } == true

    /** The class of the lock; of Java's own, of which there are many, the library that locks. */
    fun ownerOfLock(on: String?): String? =
        if (on?.startsWith("java.") == false) on else above.firstOrNull { !LibraryCode.isJdk(it) }?.type ?: on

    fun reading(kind: TimeKind, on: String? = null) = TraceReading(kind, place, on)
}

private fun kindWithoutTrace(cause: WaitCause): TimeKind? = when (cause) {
    WaitCause.SLEEP -> TimeKind.SLEEP
    WaitCause.MONITOR -> TimeKind.LOCK
    WaitCause.FILE -> TimeKind.FILE
    // Where it is unknown for what, it may be for work.
    WaitCause.PARK, WaitCause.OBJECT_WAIT, WaitCause.SOCKET_READ, WaitCause.SOCKET_WRITE, WaitCause.PINNED -> null
}

private val NOT_IN_REQUEST = TraceReading(null)

/** So deep below the top of a trace is the method by which a thread waits, such as `Thread.sleep`. */
private const val TOP = 12
