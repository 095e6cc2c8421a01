package threadgauge.server.backends

import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletionException

/** The upstream answered with an error, refused the connection or timed out. Clients get 502. */
class UpstreamFailed(cause: Throwable) : RuntimeException("the upstream failed: ${cause.message}", cause, false, false)

/** The value, or the failure without the exception that wraps it. Blocks the calling thread. */
fun <T> CompletableFuture<T>.outcome(): T = try {
    join()
} catch (failed: CompletionException) {
    throw failed.cause ?: failed
}

/** Timeout of every client for an answer: more than the longest wait that a request may have. */
const val REQUEST_TIMEOUT_MILLIS = 70_000L

/** Timeout of every client for a connection. */
const val CONNECT_TIMEOUT_MILLIS = 10_000L
