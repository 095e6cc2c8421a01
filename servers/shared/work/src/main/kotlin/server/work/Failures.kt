package threadgauge.server.work

/** A failure that has a handler. It has a stack trace, as most exceptions do: its cost belongs to the feature. */
class KnownFailure : RuntimeException("a known failure")

/** Thrown at `/fail/known`. */
fun failAsKnown(): Nothing = throw KnownFailure()

/** Thrown at `/fail/unexpected`. Only the handler for all exceptions fits it. */
fun failUnexpectedly(): Nothing = throw IllegalStateException("an unexpected failure")
