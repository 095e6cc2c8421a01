package threadgauge.model.judgement

/** Share of the agent's ceiling up to which its own queueing does not show: 0 to 1. */
const val SOUND_SHARE_OF_CEILING = 0.50

/** Share of the agent's ceiling above which its own queueing is of the size of what is measured: 0 to 1. */
const val MAX_SHARE_OF_CEILING = 0.70

/** A latency this many times the lateness of the requests is off by a tenth at most. */
const val LATENCY_PER_LATENESS = 10.0

/**
 * Limits of doubts, all in one place: what lies beyond is a doubt. Shares are 0 to 1. Why each is where it is stands with the doubt's
 * words, which readers see ("why this limit").
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

    /** Time that a target may work off the load before without a note, in milliseconds; and the longest wait for it, in minutes. */
    const val LEFT_OVER_MILLIS = 1_000.0
    const val LEFT_OVER_WAIT_MINUTES = 5

    /** Answers that p99 needs: ten beyond it. */
    const val ANSWERS_FOR_P99 = 1_000L

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
