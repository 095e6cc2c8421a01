package threadgauge.server.work

/** A failure that there is a handler for. It has a stack trace, as exceptions usually have: its cost is a part of the feature's. */
class KnownFailure : RuntimeException("a known failure")

/** What a handler throws at `/fail/known`. */
fun failAsKnown(): Nothing = throw KnownFailure()

/** What a handler throws at `/fail/unexpected`: nothing but the handler for everything fits it. */
fun failUnexpectedly(): Nothing = throw IllegalStateException("an unexpected failure")
