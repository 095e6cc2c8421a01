package threadgauge.server.backends

import threadgauge.server.work.BadRequest
import threadgauge.server.work.millisOf
import threadgauge.server.work.wholeNumber

/**
 * `GET /fanout/{strategy}/{ms}?calls=10&n=10`: concurrent or sequential calls of the slow backend at [upstream], each
 * of `ms` milliseconds. One instance per stack, which keeps the clients and pools of the strategies.
 */
class FanOut(upstream: String) {
    private val blocking = BlockingClient(upstream)
    private val webClients = WebClients(upstream)

    private val strategies: Map<String, Strategy> = mapOf(
        "sequential" to Sequential(blocking),
        "executor" to OnExecutor(blocking),
        "coroutine" to OnCoroutines(blocking),
        "coroutine-leak" to OnLeakingCoroutines(blocking),
        "webclient" to ByWebClient(webClients),
        "webclient-coroutine" to ByWebClientInCoroutines(webClients),
        "virtual" to OnVirtualThreads(blocking),
    )

    /** Throws [BadRequest] for the first invalid parameter. A missing parameter is null. */
    fun parse(strategy: String, ms: String, calls: String?, n: String?): Pair<Strategy, Calls> {
        val chosen = strategies[strategy]
            ?: throw BadRequest("strategy must be one of ${strategies.keys.joinToString()}")
        val millis = millisOf(ms)
        val count = calls?.let { wholeNumber("calls", it, 1..MAX_CALLS) } ?: DEFAULT_CALLS
        val threads = n?.let { wholeNumber("n", it, 1..MAX_THREADS) } ?: DEFAULT_THREADS
        return chosen to Calls(millis, count, threads)
    }

    companion object {
        private const val MAX_CALLS = 100
        private const val DEFAULT_CALLS = 10
        private const val MAX_THREADS = 256
        private const val DEFAULT_THREADS = 10

        /** The body of the answer, as plain text. */
        fun answer(results: List<String>): String = results.joinToString(",")
    }
}
