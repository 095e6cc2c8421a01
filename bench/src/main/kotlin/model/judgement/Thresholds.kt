package threadgauge.model.judgement

/** Share of the agent's ceiling up to which its own queueing does not show: 0 to 1. */
const val SOUND_SHARE_OF_CEILING = 0.50

/** Share of the agent's ceiling above which its own queueing is of the size of what is measured: 0 to 1. */
const val MAX_SHARE_OF_CEILING = 0.70

/** A latency this many times the lateness of the requests is off by a tenth at most. */
const val LATENCY_PER_LATENESS = 10.0

/**
 * Limits of doubts, all in one place: what lies beyond is a doubt. Shares are 0 to 1. Why each is where it is stands
 * with the doubt's words, which readers see ("why this limit").
 */
object DoubtLimits {
    /** Longest delay between intended and actual sending at p99 that no latency hides, in microseconds. */
    const val SENT_LATE_MICROS = 1_000.0

    /** Share of a window that the agent may collect garbage. */
    const val AGENT_COLLECTION_SHARE = 0.01

    /** Deviation from Little's law: suspect above the first, invalid above the second. */
    const val LITTLES_LAW = 0.10
    const val LITTLES_LAW_INVALID = 0.20

    /** Failed requests: suspect above the first, invalid above the second. */
    const val FAILURES = 0.001
    const val FAILURES_INVALID = 0.05

    /**
     * Time that a target may work off the load before without a note, in milliseconds; and the longest wait for it, in
     * minutes.
     */
    const val LEFT_OVER_MILLIS = 1_000.0
    const val LEFT_OVER_WAIT_MINUTES = 5

    /** Answers that p99 needs: ten beyond it. */
    const val ANSWERS_FOR_P99 = 1_000L

    /**
     * The quickest answer as a share of the window, and as large a share of the answers came after it: an open load is
     * suspect above the first, any load is invalid above the second.
     */
    const val SHORT_WINDOW = 0.10
    const val SHORT_WINDOW_INVALID = 0.50

    /** Mean length of answers, against the median of all stacks. */
    const val UNEQUAL_WORK = 0.01

    /** Share of the machine's time that a hypervisor may take. */
    const val STOLEN_TIME = 0.02

    /** Share of the machine that other programs may use. */
    const val OTHER_PROGRAMS = 0.05

    /** Change of the reference loop from before the load to after it. */
    const val REFERENCE_CHANGE = 0.10

    /** Share of the time around the load that others may hold the target's core. */
    const val CORE_TAKEN = 0.25

    /** Change of the core's frequency. */
    const val CORE_SPEED = 0.05

    /** Pages swapped during one load. */
    const val SWAPPED_PAGES = 100L

    /** Open files as a share of those allowed. */
    const val OPEN_FILES = 0.90

    /** Share of the machine that may be busy before a run: of two cores the coordinator's own start takes a tenth. */
    const val BUSY_BEFORE = 0.15
}

/** Limits by which one probe of a search for the knee is judged. */
object ProbeThresholds {
    /**
     * Share of the due requests that must leave within the probe, 0 to 1. Our choice: below it the rate that the
     * probe is named after was not reached, so it cannot have been kept.
     */
    const val MIN_SENT = 0.99

    /**
     * Seconds for which a growing queue is followed into the future. Our choice: a service must bear a minute at full
     * load.
     */
    const val HORIZON_SECONDS = 60

    /**
     * Share of the time that the agent's event loops may work, 0 to 1. Our choice: with less to spare a loop queues
     * for itself.
     */
    const val MAX_AGENT_BUSY = 0.90

    /** Share of the machine's time that the hypervisor may take unmentioned, 0 to 1. */
    const val NOTED_STEAL = DoubtLimits.STOLEN_TIME
}

/** Limits within which a fitted Universal Scalability Law describes what was measured. */
object ScalabilityThresholds {
    /** Least share of the variation of throughput that the law must explain, 0 to 1. Our choice. */
    const val MIN_R_SQUARED = 0.90

    /**
     * Greatest typical distance of a point from the curve, as a share of the point. Our choice: beyond it a point is
     * as far off as the differences that people read from such a curve.
     */
    const val MAX_TYPICAL_ERROR = 0.10
}

/** Limits of the doctor's findings. Beyond `NOTED_…` a finding is a note, beyond `MAX_…` or `MIN_…` it is a problem. */
object DoctorThresholds {
    /** Cores: with one, target and agent take time from each other. */
    const val MIN_CORES = 2

    /**
     * Share of the machine that works for others, 0 to 1. Our choice: they have more of it than the measurement has.
     */
    const val MAX_BUSY = 0.50

    /** Share of the machine's time that the hypervisor took, 0 to 1. */
    const val NOTED_STEAL = DoubtLimits.STOLEN_TIME

    /** The same. Three times the usual margin (3 %) below which differences do not count. */
    const val MAX_STEAL = 0.10

    /**
     * Bytes available. A Spring server of the tour needs 400 MB, the agent up to 256 MB, the coordinator about 150
     * MB.
     */
    const val MIN_MEMORY_BYTES = 1_000_000_000L

    /** Bytes available: twice what is needed. */
    const val NOTED_MEMORY_BYTES = 2_000_000_000L

    /** Bytes swapped out. Some megabytes of programs that sleep are, on any machine that has run for days. */
    const val NOTED_SWAP_BYTES = 100_000_000L

    /**
     * Nanoseconds to read the clock once. Read without a call into the kernel (vDSO) it takes 20 to 50 ns, otherwise
     * up to microseconds, and the agent reads it about three times per request.
     */
    const val NOTED_CLOCK_NANOS = 200.0

    /**
     * Speed of a core under load, as a share of its greatest. `cpuinfo_max_freq` is what one core reaches alone; all
     * of them together reach 70 to 85 % of it on current processors.
     */
    const val NOTED_CORE_SPEED = 0.60

    /**
     * Range of the agent's rounds as a share of their median: two seconds on a quiet shared machine differ by that
     * much.
     */
    const val NOTED_SPREAD = 0.10

    /**
     * The same, without the farthest round: with five trials a difference of a quarter cannot be seen any more
     * (Welch).
     */
    const val MAX_SPREAD = 0.40

    /** Microseconds by which 1 % of the requests leave late: at most, the limit of the doubt `sent-late`. */
    const val NOTED_LATENESS_MICROS = DoubtLimits.SENT_LATE_MICROS

    /** The same: a simple answer takes less than that altogether. */
    const val MAX_LATENESS_MICROS = 10_000.0

    /** Microseconds for which an event loop stood still: it has a duty every 10 ms, so a whole one was missed. */
    const val NOTED_STALL_MICROS = 10_000.0

    /**
     * Connections: what an open load opens at most, unless the experiment says otherwise
     * ([threadgauge.model.Connections]).
     */
    const val USUAL_CONNECTIONS = 1_000L

    /** Connections: experiments with thousands of users are common, those with more than ten thousand are rare. */
    const val MANY_CONNECTIONS = 10_000L

    /** Open files that are no connections: Java's own libraries, its pipes, and what the server itself holds. */
    const val SPARE_FILES = 200L
}
