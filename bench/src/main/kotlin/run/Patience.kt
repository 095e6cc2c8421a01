package threadgauge.run

import threadgauge.load.agent.WorkOrder

/** How long a run waits for a target that does not answer, in nanoseconds. Tests wait less. */
internal class Patience(
    /** After the end of a load, as [WorkOrder.drainNanos]. */
    val drainNanos: Long = 10_000_000_000,
    /**
     * Without any answer to a single user: shorter silence may be a collection of garbage. It is longer where there is
     * work to catch up on.
     */
    val silenceNanos: Long = 10_000_000_000,
)
