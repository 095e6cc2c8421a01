package threadgauge.dist

/** Nothing can be made, for a reason outside of the program. [remedy] says what its user can do. */
internal class DistFailed(val problem: String, val remedy: String, val exitCode: Int = UNAVAILABLE) : Exception(problem)

/** As the program's own exit codes: a wrong word, something is missing here, the disk is full or not writable. */
internal const val USAGE = 64
internal const val UNAVAILABLE = 69
internal const val NOT_WRITABLE = 74
