package threadgauge.judge.ceiling

import threadgauge.model.judgement.LimitedThing

/**
 * The minimum duration of a request by the contract, from its path. [millis] is for a single request. [pool] is shared
 * by the calls of all requests; null where nothing limits them together. The server's own client makes [ownCalls]
 * concurrently, each for the whole time.
 */
internal class LeastTime(val millis: Long, val pool: CallPool? = null, val ownCalls: Int = 0)

/** [permits] for calls. Each of the [calls] of a request holds one for [millisEach]. */
internal class CallPool(val permits: Int, val of: LimitedThing, val calls: Int, val millisEach: Long)

/** Null where the contract sets no minimum. */
internal fun leastTimeOf(path: String): LeastTime? {
    val plain = path.substringBefore('?')
    val query =
        path.substringAfter('?', "").split('&').associate { it.substringBefore('=') to it.substringAfter('=', "") }
    val least = WAITING.matchEntire(plain)?.let { it.groupValues[1].toLongOrNull()?.let(::LeastTime) }
        ?: STREAM.matchEntire(plain)?.let { stream(it.groupValues[1], it.groupValues[2]) }
        ?: if (PAGE.matches(plain)) page(query) else fanOut(plain, query)
    return least?.takeIf { it.millis > 0 }
}

/** A pause before each event. */
private fun stream(millis: String, count: String): LeastTime? {
    return LeastTime((millis.toLongOrNull() ?: return null) * (count.toIntOrNull() ?: return null))
}

private fun page(query: Map<String, String>) =
    LeastTime(query["ms"]?.toLongOrNull() ?: PAGE_MILLIS, ownCalls = if (query["from"] == "upstream") PAGE_CALLS else 0)

private fun fanOut(plain: String, query: Map<String, String>): LeastTime? {
    val (strategy, digits) = FAN_OUT.matchEntire(plain)?.destructured ?: return null
    val millis = digits.toLongOrNull() ?: return null
    val calls = query["calls"]?.toIntOrNull() ?: CALLS
    val threads = query["n"]?.toIntOrNull() ?: THREADS
    // The number of rounds in which the calls of a request are made.
    val rounds =
        if (strategy == "sequential") calls else if (strategy in ON_THREADS) (calls + threads - 1) / threads else 1
    val pool = when (strategy) {
        in SHARING_THREADS -> CallPool(threads, LimitedThing.THREADS_FOR_CALLS, calls, millis)
        in BY_WEB_CLIENT -> CallPool(CONNECTIONS, LimitedThing.CLIENT_CONNECTIONS, calls, millis)
        else -> null
    }
    return LeastTime(rounds * millis, pool)
}

private val WAITING = Regex("/(?:delay|block|offload)/(\\d+)")
private val STREAM = Regex("/events/(\\d+)/(\\d+)")
private val PAGE = Regex("/mobile/users/\\d+")
private val FAN_OUT = Regex("/fanout/([a-z-]+)/(\\d+)")

/** Defaults of the contract (docs/http-contract.yaml). */
private const val PAGE_MILLIS = 1_000L
private const val PAGE_CALLS = 2
private const val CALLS = 10
private const val THREADS = 10

private val SHARING_THREADS = setOf("executor", "coroutine")
private val ON_THREADS = SHARING_THREADS + "coroutine-leak"
private val BY_WEB_CLIENT = setOf("webclient", "webclient-coroutine")

/** Default pool size of a Reactor Netty client. */
private const val CONNECTIONS = 500
