package threadgauge.server.backends

import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletionException

/** The upstream answered with an error, could not be reached, or did not answer in time. Clients are told 502. */
class UpstreamFailed(cause: Throwable) : RuntimeException("the upstream failed: ${cause.message}", cause, false, false)

/** The value, or the failure itself and not one that wraps it. Holds the thread. */
fun <T> CompletableFuture<T>.outcome(): T = try {
    join()
} catch (failed: CompletionException) {
    throw failed.cause ?: failed
}

/** How long every client waits for an answer: more than the longest wait that may be asked for. */
const val PATIENCE_MILLIS = 70_000L

/** How long every client waits for a connection. */
const val CONNECT_MILLIS = 10_000L
