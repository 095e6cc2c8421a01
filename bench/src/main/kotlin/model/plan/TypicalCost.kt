package threadgauge.model.plan

/**
 * The time that the parts of a run typically take, in seconds, for estimates before anything of it is known. Measured
 * on two cores of a shared virtual machine, in runs of shipped stacks on one core.
 */
object TypicalCost {
    /** Starting the load agent, warming it up and finding its maximum. */
    const val CALIBRATION_SECONDS = 7.0

    /** Starting one process of a stack, verifying and stopping it: 3 to 10 s. */
    const val START_SECONDS = 8.0

    /**
     * From the end of one slice to the start of the lead-in of the next. In a run of two WebFlux processes a slice of
     * 0.5 s with its lead-in of 0.1 s took 0.66 to 0.68 s in all.
     */
    const val SLICE_OVERHEAD_SECONDS = 0.07

    /** Of a profile besides its load: starting a recording, fetching it and adding it up. 0.4 to 0.7 s. */
    const val PROFILE_OVERHEAD_SECONDS = 0.7

    /** Of the rehearsal of profiles, before the warm-up of a process that is to have some. */
    const val REHEARSAL_SECONDS = 2.0
}
