package threadgauge.judge.cause

/** From where on something is said to hold a stack. Each limit is high enough that no healthy process reaches it. */
internal object CauseThresholds {
    /**
     * Busy share of the cores, and of event loops. Below it a queue is short: with one server and arrivals at random,
     * fewer than six requests wait on average at 0.85 (M/M/1: ρ² ÷ (1 − ρ) = 4.8).
     */
    const val BUSY = 0.85

    /** Busy share of cores that other programs use as well, where as many threads wait for them on average. */
    const val SHARED = 0.5

    /** Busy share of the threads of a pool. Its threads are many, so that one of them is free at less than this. */
    const val POOL_BUSY = 0.9

    /** Requests in flight ÷ threads of a group from which requests wait for a thread, and not threads for requests. */
    const val QUEUED = 1.1

    /** Share of a pool's maximum from which it has grown as far as it may. */
    const val GROWN = 0.95

    /** Of the busy time of event loops or carriers, from which on being blocked is the reason, and not their work. */
    const val MOSTLY = 0.5

    /** Mean number of threads that wait for a lock or a connection: with fewer it is free most of the time. */
    const val WAITING = 1.0

    /** Of the latency without the wait for a thread, from which a lock, a connection or a backend is the reason. */
    const val LATENCY_SHARE = 0.5

    /** Share of the time in which collectors stop all threads. With G1 and enough heap it is far below 5 %. */
    const val COLLECTOR_PAUSES = 0.15

    /** Share of the CPU time that collector threads take of a busy processor. */
    const val COLLECTOR_CPU = 0.4

    /**
     * A remainder of the latency of less than this, in microseconds, is what the network, the kernel and the load agent
     * take.
     */
    const val OUTSIDE_MICROS = 1_000.0

    /** The same as a share of the latency. */
    const val OUTSIDE_SHARE = 0.2

    /** Threads that a request starts and that do not end. A pool that grows starts few for many requests. */
    const val NEW_THREADS = 0.5

    /** Threads of a group ÷ requests in flight, from which they cannot all be needed. */
    const val NOT_NEEDED = 2.0

    /** Fewer threads are no fault, whatever starts them. */
    const val MANY_THREADS = 500

    /** Samples from which the pool of a client that does not block is exhausted, whatever its size. */
    const val CLIENT_SAMPLES = 3L

    /** Samples from which a place is named. Three of ten in it mean 7 to 65 % of the time (by Clopper-Pearson). */
    const val FEWEST_SAMPLES = 10L

    /** Share of the samples from which the user's own code is named before that of libraries. */
    const val OWN_CODE = 0.05

    /** Parts of the latency below this share stand together by their kind. */
    const val SMALL_PART = 0.01

    /**
     * Dumps count, and not events, where they show so many times the threads in a wait: then most waits are shorter
     * than events record.
     */
    const val SHORT_WAITS = 1.5

    /** And where the difference is more than so many standard errors of a count of threads. */
    const val STANDARD_ERRORS = 2.0
}
