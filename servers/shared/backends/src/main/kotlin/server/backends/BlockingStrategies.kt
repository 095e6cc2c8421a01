package threadgauge.server.backends

import java.util.concurrent.CompletableFuture
import java.util.concurrent.Executor
import java.util.concurrent.Executors

/** One call after the other, on the calling thread. */
internal class Sequential(private val client: BlockingClient) : Strategy.Blocking {
    override fun results(calls: Calls) = (1..calls.count).map { client.result(calls.millis, it) }
}

/** Calls on a fixed pool of threads. All requests share the pool, so it limits their calls together. */
internal class OnExecutor(private val client: BlockingClient) : Strategy.Blocking {
    private val pools = ThreadPools("executor")

    override fun results(calls: Calls) = client.results(calls, pools.of(calls.threads))
}

/** A virtual thread for each call. */
internal class OnVirtualThreads(private val client: BlockingClient) : Strategy.Blocking {
    override fun results(calls: Calls) = Executors.newVirtualThreadPerTaskExecutor().use { client.results(calls, it) }
}

private fun BlockingClient.results(calls: Calls, executor: Executor): List<String> =
    (1..calls.count).map { CompletableFuture.supplyAsync({ result(calls.millis, it) }, executor) }.map { it.outcome() }
