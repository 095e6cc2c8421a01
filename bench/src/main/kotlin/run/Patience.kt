package threadgauge.run

import threadgauge.load.agent.WorkOrder

/** How long a run waits for a target that does not answer, in nanoseconds. Shorter in tests. */
internal class Patience(
    /** After the end of a load, see [WorkOrder.drainNanos]. */
    val drainNanos: Long = 10_000_000_000,
    /**
     * Without any answer to a single user: a shorter silence may be a garbage collection. The wait is longer where the
     * target has requests to work off.
     */
    val silenceNanos: Long = 10_000_000_000,
)
