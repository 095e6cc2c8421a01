package threadgauge.model.request

import threadgauge.model.ConcurrencyModel

/**
 * A request that makes so many [calls] of the slow backend at a time, each of so many [millis]. How, depends on the
 * stack: its path has variables that [madeBy] fills in.
 */
fun fanOutRequest(calls: Int, millis: Int): Request = Request(path = "/fanout/$WAY/$millis?calls=$calls&n=$THREADS")

/**
 * This request as a stack of this [model] makes its calls; the same if it makes none. A stack of platform threads has a
 * pool for them, which all requests share, of as many threads as Tomcat has for requests. One of virtual threads has a
 * thread for each call. The others have a client that does not block, with one event loop.
 */
fun Request.madeBy(model: ConcurrencyModel): Request {
    if (WAY !in path) return this
    val (way, threads) = when (model) {
        ConcurrencyModel.PLATFORM_THREADS -> "executor" to POOL_THREADS
        ConcurrencyModel.VIRTUAL_THREADS -> "virtual" to 1
        ConcurrencyModel.EVENT_LOOP, ConcurrencyModel.UNKNOWN -> "webclient" to 1
        ConcurrencyModel.COROUTINES -> "webclient-coroutine" to 1
    }
    return copy(path = path.replace(WAY, way).replace(THREADS, "$threads"))
}

private const val WAY = "{way}"
private const val THREADS = "{threads}"
private const val POOL_THREADS = 200
