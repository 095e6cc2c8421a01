package threadgauge.model.judgement

/** Share of the agent's maximum throughput up to which its own queueing does not show: 0 to 1. */
const val SOUND_SHARE_OF_CEILING = 0.50

/**
 * Share of the agent's maximum throughput above which its own queueing is as long as the measured latencies: 0 to 1.
 */
const val MAX_SHARE_OF_CEILING = 0.70

/** With this ratio of latency to send delay, latency is distorted by a tenth at most. */
const val LATENCY_PER_LATENESS = 10.0

/**
 * Limits of doubts: values beyond them are doubtful. Shares are 0 to 1. The words of the doubts have the reason for
 * each ("why this limit").
 */
object DoubtLimits {
    /** p99 send delay that is accepted at any latency, in microseconds. */
    const val SENT_LATE_MICROS = 1_000.0

    /** Share of a window in which the agent may collect garbage. */
    const val AGENT_COLLECTION_SHARE = 0.01

    /**
     * Of the median latency: connections from agents on other machines take so long that the network is a part worth
     * knowing; and their times differ by so much that the network's moods are a part of the figures.
     */
    const val NETWORK_SHARE = 0.05
    const val NETWORK_SPREAD = 0.5

    /** How exactly it must be known that agents on several machines start together, in microseconds. */
    const val CLOCKS_APART_MICROS = 1_000.0

    /** How far below its plateau a server may be measured, as a share: the default margin. */
    const val BELOW_PLATEAU = 0.03

    /**
     * How far below its plateau a server may be for all that is known: the low end of the interval. Slices of one
     * process deviate by 3 to 10 %, so a distance of less than two such deviations can seldom be ruled out.
     */
    const val MAYBE_BELOW_PLATEAU = 0.2

    /** Deviation from Little's law: suspect above the first, invalid above the second. */
    const val LITTLES_LAW = 0.10
    const val LITTLES_LAW_INVALID = 0.20

    /** Failed requests: suspect above the first, invalid above the second. */
    const val FAILURES = 0.001
    const val FAILURES_INVALID = 0.05

    /**
     * How long a target may process abandoned requests of the previous load without a doubt, in milliseconds; and the
     * longest wait for it, in minutes.
     */
    const val LEFT_OVER_MILLIS = 1_000.0
    const val LEFT_OVER_WAIT_MINUTES = 5

    /** Minimum number of answers for p99: ten beyond it. */
    const val ANSWERS_FOR_P99 = 1_000L

    /**
     * The fastest answer as a share of the window, with as large a share of the answers after the window: an open load
     * is suspect above the first, any load is invalid above the second.
     */
    const val SHORT_WINDOW = 0.10
    const val SHORT_WINDOW_INVALID = 0.50

    /** Deviation of the mean length of answers from the median of all stacks. */
    const val UNEQUAL_WORK = 0.01

    /** Share of the CPU time that a hypervisor may take. */
    const val STOLEN_TIME = 0.02

    /** Share of the CPU time that other programs may use. */
    const val OTHER_PROGRAMS = 0.05

    /** Change of the reference loop from before the load to after it. */
    const val REFERENCE_CHANGE = 0.10

    /** Share of the time around the load in which other programs may use the target's core. */
    const val CORE_TAKEN = 0.25

    /** Change of the core's frequency. */
    const val CORE_SPEED = 0.05

    /** Pages swapped during one load. */
    const val SWAPPED_PAGES = 100L

    /**
     * Growth of the target's resident memory while it was measured, as a share. In 28 measurements of warm stacks in
     * rounds it was at most 0.17.
     */
    const val GROWN_MEMORY = 0.50

    /** The same in bytes: less matters to nobody. */
    const val GROWN_MEMORY_BYTES = 50_000_000L

    /** Open files as a share of those allowed. */
    const val OPEN_FILES = 0.90

    /**
     * Share of the CPU time that may be in use before a run. On two cores, the coordinator's own start takes a tenth.
     */
    const val BUSY_BEFORE = 0.15
}

/** Limits by which one probe of a search for the knee is judged. */
object ProbeThresholds {
    /**
     * Share of the due requests that must be sent within the probe, 0 to 1. Our choice: below it the intended rate was
     * not reached, so the probe cannot have met the goals.
     */
    const val MIN_SENT = 0.99

    /** Seconds for which a growing queue is extrapolated. Our choice: a service must sustain a minute at full load. */
    const val HORIZON_SECONDS = 60

    /**
     * Share of the time for which the agent's event loops may be busy, 0 to 1. Our choice: above it a loop has queueing
     * of its own.
     */
    const val MAX_AGENT_BUSY = 0.90

    /** Share of the CPU time that the hypervisor may take without a note, 0 to 1. */
    const val NOTED_STEAL = DoubtLimits.STOLEN_TIME
}

/** Limits for a good fit of the Universal Scalability Law. */
object ScalabilityThresholds {
    /** Minimum share of the variation of throughput that the law must explain, 0 to 1. Our choice. */
    const val MIN_R_SQUARED = 0.90

    /**
     * Maximum typical distance of a point from the curve, as a share of the point. Our choice: beyond it the error is
     * as large as the differences that such a curve should show.
     */
    const val MAX_TYPICAL_ERROR = 0.10

    /**
     * Typical distance up to which a curve is right whatever it explains: where throughput hardly varies there is
     * nothing to explain, and R² is small. Our choice.
     */
    const val SMALL_TYPICAL_ERROR = 0.01

    /** Throughput grows where it is more than this at its highest than with one request at a time, as a share. */
    const val MIN_GROWTH = 0.05
}

/** Limits of the doctor's findings. Beyond `NOTED_…` a finding is a note, beyond `MAX_…` or `MIN_…` it is a problem. */
object DoctorThresholds {
    /** Cores: with one, target and agent take CPU time from each other. */
    const val MIN_CORES = 2

    /**
     * Share of the CPU time that other programs use, 0 to 1. Our choice: above it they have more of the machine than
     * the measurement.
     */
    const val MAX_BUSY = 0.50

    /** Share of the CPU time that the hypervisor took, 0 to 1. */
    const val NOTED_STEAL = DoubtLimits.STOLEN_TIME

    /** The same. Three times the default margin, 3 %. */
    const val MAX_STEAL = 0.10

    /**
     * Bytes available. A Spring server of the tour needs 400 MB, the agent up to 256 MB, the coordinator about 150
     * MB.
     */
    const val MIN_MEMORY_BYTES = 1_000_000_000L

    /** Bytes available: twice what is needed. */
    const val NOTED_MEMORY_BYTES = 2_000_000_000L

    /** Bytes swapped out. After some days, any machine has some megabytes of idle programs in swap. */
    const val NOTED_SWAP_BYTES = 100_000_000L

    /**
     * Nanoseconds to read the clock once. Without a system call (vDSO) it takes 20 to 50 ns, otherwise up to
     * microseconds, and the agent reads it about three times per request.
     */
    const val NOTED_CLOCK_NANOS = 200.0

    /**
     * Speed of a core under load, as a share of its maximum. `cpuinfo_max_freq` is what one core reaches alone; all
     * cores together reach 70 to 85 % of it on current processors.
     */
    const val NOTED_CORE_SPEED = 0.60

    /**
     * Range of the agent's rounds as a share of their median: on a quiet shared machine, two seconds differ by that
     * much.
     */
    const val NOTED_SPREAD = 0.10

    /**
     * The same, without the farthest round: with five trials, a difference of a quarter can no longer be detected
     * (Welch).
     */
    const val MAX_SPREAD = 0.40

    /**
     * Standard deviation of the ratio of two equal servers in one round, as a share. On a quiet shared machine it was
     * up to 15 % where cores sleep (decision 0041).
     */
    const val NOTED_ROUND_NOISE = 0.20

    /** p99 send delay in microseconds; at most the limit of the doubt `sent-late`. */
    const val NOTED_LATENESS_MICROS = DoubtLimits.SENT_LATE_MICROS

    /** The same: a simple answer takes less time in total. */
    const val MAX_LATENESS_MICROS = 10_000.0

    /** Microseconds for which an event loop stalled. It has a task every 10 ms, so a whole one was missed. */
    const val NOTED_STALL_MICROS = 10_000.0

    /** Connections: the default maximum of an open load ([threadgauge.model.request.Connections]). */
    const val USUAL_CONNECTIONS = 1_000L

    /** Connections: experiments with thousands of users are common, those with more than ten thousand are rare. */
    const val MANY_CONNECTIONS = 10_000L

    /** Open files other than connections: libraries of Java, pipes, and files of the server. */
    const val SPARE_FILES = 200L
}
