package threadgauge.model

/** The version of this Threadgauge, as in the pom files. */
const val VERSION = "0.2.0"
