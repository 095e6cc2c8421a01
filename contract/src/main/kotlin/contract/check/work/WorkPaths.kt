package threadgauge.contract.check.work

internal const val HELLO = "hello"

/** The three ways to wait, and the word with which each begins its answer. */
internal val waits = mapOf("/delay" to "waited", "/block" to "blocked", "/offload" to "offloaded")

internal const val MILLIS_MOST = 60_000
internal const val LENGTH_MOST = 1_000_000
