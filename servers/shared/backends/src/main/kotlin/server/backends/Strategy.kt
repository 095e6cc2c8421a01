package threadgauge.server.backends

import reactor.core.publisher.Mono

/**
 * [count] calls with the indices 1 to [count], each of [millis] milliseconds, on [threads] threads where the strategy
 * has threads.
 */
class Calls(val millis: Long, val count: Int, val threads: Int)

/**
 * A way to make several calls. Its kind determines how a stack calls it. Results come in the order of the calls. When
 * one call fails, all end with [UpstreamFailed].
 */
sealed interface Strategy {
    /** Blocks the calling thread until the last result has come. */
    interface Blocking : Strategy {
        fun results(calls: Calls): List<String>
    }

    /** Suspends, and may be called on any thread. */
    interface Suspending : Strategy {
        suspend fun results(calls: Calls): List<String>
    }

    /** Returns at once, and may be called on any thread. */
    interface Reactive : Strategy {
        fun results(calls: Calls): Mono<List<String>>
    }
}
