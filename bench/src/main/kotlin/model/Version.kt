package threadgauge.model

/** The version of Threadgauge that runs; the same as in the project's pom files. */
const val VERSION = "0.1.0"
