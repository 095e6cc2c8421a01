package threadgauge.model.judgement

/** Share of the agent's ceiling up to which its own queueing does not show: 0 to 1. */
const val SOUND_SHARE_OF_CEILING = 0.50

/** Share of the agent's ceiling above which its own queueing is of the size of what is measured: 0 to 1. */
const val MAX_SHARE_OF_CEILING = 0.70

/** A latency this many times the lateness of the requests is off by a tenth at most. */
const val LATENCY_PER_LATENESS = 10.0
