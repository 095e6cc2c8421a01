package threadgauge.model.profile

import kotlinx.serialization.Serializable

/**
 * What a process did during a load of its own, after all that was measured: no figure of a [threadgauge.model.Sample]
 * is from it. Facts alone; what they mean is decided by the judge.
 */
@Serializable
data class Profile(
    val situation: String,
    /** Milliseconds from the start of the run. */
    val atMillis: Double,
    /** The observed part of the load, after its lead-in. Every figure below is about it. */
    val windowMillis: Double,
    /** All that profiling took, in milliseconds: attaching, the load, and reading. */
    val tookMillis: Double,
    /** Correct answers within the window. */
    val answered: Long,
    /** Mean latency of the correct answers, from the intended time to the last byte, in microseconds. */
    val meanMicros: Double,
    /** CPU time of all its processes in the window, user and system, in milliseconds; null where unknown. */
    val cpuMillis: Double? = null,
    /** Cores that the process may use. */
    val cores: Int,
    /** Feature version of its Java, such as 25; null where it is no JVM that can be attached to. */
    val java: Int? = null,
    /** What could not be observed, and why; empty where everything was. */
    val gaps: List<ProfileGap> = emptyList(),
    /** Stack traces without duplicates; the other parts refer to them by their index. */
    val traces: List<Trace> = emptyList(),
    /** Groups of threads, the one with most CPU time first. */
    val threads: List<ThreadGroup> = emptyList(),
    /** Waits that lasted at least [WAIT_MILLIS] and ended within the window, the longest sum first. */
    val waits: List<Waits> = emptyList(),
    /** Samples of threads that ran, the most frequent first. */
    val running: List<Running> = emptyList(),
    /** Threads by what they were doing, in dumps; the most frequent first. */
    val seen: List<SeenThreads> = emptyList(),
    /** Number of dumps that [seen] is the mean of; 0 where there are none. */
    val dumps: Int = 0,
    /** Stops of all threads for garbage collection, in milliseconds in the window; null where unknown. */
    val collectionPauseMillis: Double? = null,
    /** Pools that report their sizes, and connections that the kernel counts; empty where there is neither. */
    val pools: List<Pool> = emptyList(),
    /** File with its [Flames], relative to the folder of the record; null where there is none. */
    val flames: String? = null,
) {
    companion object {
        /** Shorter waits are not recorded as events, because recording them would cost more than they last. */
        const val WAIT_MILLIS = 1L
    }
}

/** What could not be observed. */
@Serializable
data class ProfileGap(
    val what: ProfilePart,
    /** What the system said about it, such as the message of an exception. */
    val why: String,
)

/** A part of a profile, by where it comes from. */
@Serializable
enum class ProfilePart { JVM, EVENTS, DUMPS, THREADS, POOLS, NATIVE_STACKS }

/** A stack trace, from the method that runs or waits to its outermost caller; cut after [MAX_FRAMES]. */
@Serializable
data class Trace(val frames: List<Frame>) {
    companion object {
        const val MAX_FRAMES = 64
    }
}

/** A [method] of a class, whose name has its package: `java.lang.Thread.sleep`. */
@Serializable(with = FrameText::class)
data class Frame(
    val type: String,
    val method: String,
    /** Of the source; null for native methods and where the class was compiled without lines. */
    val line: Int? = null,
    /** Name of the source file, such as `Endpoints.kt`; null where unknown. */
    val file: String? = null,
)

/**
 * Threads whose names differ in digits only, as the kernel counts them. Virtual threads have none of their own: they
 * run on their carriers.
 */
@Serializable
data class ThreadGroup(
    /**
     * The common name with `#` for digits, as Java knows it, such as `http-nio-#-exec-#`; `*` for all groups that are
     * too small to be listed.
     */
    val name: String,
    /** Number of threads at the end of the window. */
    val count: Int,
    /** On a core, in milliseconds in the window, over all of them. */
    val cpuMillis: Double,
    /** Ready to run, but waiting for a core, in milliseconds in the window; null where the kernel does not count it. */
    val waitedForCoreMillis: Double? = null,
    /** Made by the JVM itself: compilers, collectors, and other threads without Java code. */
    val isOfJvm: Boolean = false,
    /** Of [count], threads that did not exist when the window began; null in records of before. */
    val started: Int? = null,
)

/** Waits for one cause, by threads of one group, at one place. */
@Serializable
data class Waits(
    val cause: WaitCause,
    /** As [ThreadGroup.name]; of virtual threads the group of their names, `virtual` without one. */
    val threads: String,
    val isVirtual: Boolean,
    /** Index in [Profile.traces]; null where it is unknown. */
    val trace: Int?,
    val count: Long,
    /** Sum over all of them, of the parts within the window. */
    val millis: Double,
    /** What was waited for: the class of a lock, `host:port` of a socket, a path, the reason of a pinned carrier. */
    val on: String? = null,
)

/** Why a thread waited, by the event that tells it. */
@Serializable
enum class WaitCause { SLEEP, PARK, MONITOR, OBJECT_WAIT, SOCKET_READ, SOCKET_WRITE, FILE, PINNED }

/** Samples of threads of one group that ran Java code at one place. */
@Serializable
data class Running(
    val threads: String,
    val isVirtual: Boolean,
    val trace: Int?,
    val samples: Long,
)

/** Threads of one group in one state at one place. */
@Serializable
data class SeenThreads(
    val threads: String,
    val isVirtual: Boolean,
    /** As [java.lang.Thread.State]; null for virtual threads of a JVM whose dumps do not tell it. */
    val state: String? = null,
    val trace: Int,
    /** Mean number of them per dump. */
    val mean: Double,
    /** Class of the object that they wait for; null where they wait for none, and where it is unknown. */
    val on: String? = null,
)

/**
 * A pool of connections or threads, as it reports itself, or [PoolKind.OUTGOING]; means over the readings in the
 * window.
 */
@Serializable
data class Pool(
    /** As its bean or its metric calls it, such as `HikariPool-1`. */
    val name: String,
    val kind: PoolKind,
    val max: Int? = null,
    /** In use. */
    val busy: Double,
    /** Requests that wait for one; null where it does not tell. */
    val waiting: Double? = null,
)

/** What a pool is of, and by whom. */
@Serializable
enum class PoolKind(val isOfConnections: Boolean = false) {
    TOMCAT_THREADS,
    JETTY_THREADS,
    HIKARI(isOfConnections = true),
    R2DBC(isOfConnections = true),

    /** Connections of Reactor Netty's client, which WebClient uses. */
    REACTOR_NETTY(isOfConnections = true),
    CARRIERS,
    FORK_JOIN,

    /**
     * No pool that reports itself: connections that the process has opened to the address and port in [Pool.name], and
     * not closed, as the kernel counts them. Whether one is in use is unknown, as is their limit.
     */
    OUTGOING,
}
