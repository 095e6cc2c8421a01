package threadgauge.server.backends

import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.ExecutorService
import java.util.concurrent.Executors

/**
 * One pool of platform threads for each number of threads, created at its first use and kept. All requests share it.
 */
internal class ThreadPools(private val name: String) {
    private val pools = ConcurrentHashMap<Int, ExecutorService>()

    fun of(threads: Int): ExecutorService = pools.computeIfAbsent(threads) { newPool("$name-$threads", threads) }
}

/** Daemon threads, which do not keep the process alive. */
internal fun newPool(name: String, threads: Int): ExecutorService =
    Executors.newFixedThreadPool(threads, Thread.ofPlatform().daemon().name("$name-", 0).factory())
