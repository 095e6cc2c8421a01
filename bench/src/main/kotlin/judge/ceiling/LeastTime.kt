package threadgauge.judge.ceiling

import threadgauge.model.judgement.LimitedThing

/**
 * How long the contract lets a request take at least, by its path. [millis] is for one request alone; [pool] is what
 * all requests share to make their calls, null where nothing bounds them together. [ownCalls] go out together by the
 * server's own client, each for all the time.
 */
internal class LeastTime(val millis: Long, val pool: CallPool? = null, val ownCalls: Int = 0)

/** [permits] for calls, each of which is held for [millisEach] by each of [calls] calls that a request makes. */
internal class CallPool(val permits: Int, val of: LimitedThing, val calls: Int, val millisEach: Long)

/** Null where the contract says nothing of the time. */
internal fun leastTimeOf(path: String): LeastTime? {
    val plain = path.substringBefore('?')
    val query =
        path.substringAfter('?', "").split('&').associate { it.substringBefore('=') to it.substringAfter('=', "") }
    val least = WAITING.matchEntire(plain)?.let { it.groupValues[1].toLongOrNull()?.let(::LeastTime) }
        ?: if (PAGE.matches(plain)) page(query) else fanOut(plain, query)
    return least?.takeIf { it.millis > 0 }
}

private fun page(query: Map<String, String>) =
    LeastTime(query["ms"]?.toLongOrNull() ?: PAGE_MILLIS, ownCalls = if (query["from"] == "upstream") PAGE_CALLS else 0)

private fun fanOut(plain: String, query: Map<String, String>): LeastTime? {
    val (strategy, digits) = FAN_OUT.matchEntire(plain)?.destructured ?: return null
    val millis = digits.toLongOrNull() ?: return null
    val calls = query["calls"]?.toIntOrNull() ?: CALLS
    val threads = query["n"]?.toIntOrNull() ?: THREADS
    // So many times must a request's calls wait for one another.
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
private val PAGE = Regex("/mobile/users/\\d+")
private val FAN_OUT = Regex("/fanout/([a-z-]+)/(\\d+)")

/** The contract's own values where the request says nothing (docs/http-contract.yaml). */
private const val PAGE_MILLIS = 1_000L
private const val PAGE_CALLS = 2
private const val CALLS = 10
private const val THREADS = 10

private val SHARING_THREADS = setOf("executor", "coroutine")
private val ON_THREADS = SHARING_THREADS + "coroutine-leak"
private val BY_WEB_CLIENT = setOf("webclient", "webclient-coroutine")

/** What Reactor Netty gives a client that is not told. */
private const val CONNECTIONS = 500
