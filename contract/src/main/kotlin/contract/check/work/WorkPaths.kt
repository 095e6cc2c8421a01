package threadgauge.contract.check.work

internal const val HELLO = "hello"

/** The three ways to wait, and the word with which each begins its answer. */
internal val waits = mapOf("/delay" to "waited", "/block" to "blocked", "/offload" to "offloaded")

/** Longest wait that these three accept. */
internal const val MAX_MILLIS = 60_000

/** Longest string of `/api/random/string`, in characters. */
internal const val MAX_LENGTH = 1_000_000
