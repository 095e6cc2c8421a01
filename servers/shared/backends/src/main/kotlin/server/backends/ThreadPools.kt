package threadgauge.server.backends

import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.ExecutorService
import java.util.concurrent.Executors

/** One pool of platform threads for each number of threads, made when it is first asked for and kept. All requests share it. */
internal class ThreadPools(private val name: String) {
    private val pools = ConcurrentHashMap<Int, ExecutorService>()

    fun of(threads: Int): ExecutorService = pools.computeIfAbsent(threads) { newPool("$name-$threads", threads) }
}

/** Daemon threads, so that they do not keep the process from ending. */
internal fun newPool(name: String, threads: Int): ExecutorService =
    Executors.newFixedThreadPool(threads, Thread.ofPlatform().daemon().name("$name-", 0).factory())
