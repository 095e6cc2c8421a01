package threadgauge.server.backends

import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.coroutineScope

/** A coroutine for each call, around the blocking client. Each still holds a thread while it waits. */
internal class OnCoroutines(private val client: BlockingClient) : Strategy.Suspending {
    private val pools = ThreadPools("coroutine")

    override suspend fun results(calls: Calls) = client.results(calls, pools.of(calls.threads).asCoroutineDispatcher())
}

/** The same with a published mistake: every request creates a pool and never closes it, so its threads leak. */
internal class OnLeakingCoroutines(private val client: BlockingClient) : Strategy.Suspending {
    override suspend fun results(calls: Calls) =
        client.results(calls, newPool("leaked", calls.threads).asCoroutineDispatcher())
}

private suspend fun BlockingClient.results(calls: Calls, threads: CoroutineDispatcher): List<String> = coroutineScope {
    (1..calls.count).map { async(threads) { result(calls.millis, it) } }.awaitAll()
}
