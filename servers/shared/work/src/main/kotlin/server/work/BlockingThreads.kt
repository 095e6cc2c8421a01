package threadgauge.server.work

/**
 * Threads that `Dispatchers.IO` may use at one time, which is where coroutines put blocking calls on every stack that has them.
 * It does not tell; this is its documented rule: the system property, or 64, or the processors if they are more.
 */
val ioDispatcherThreads: Int
    get() = System.getProperty("kotlinx.coroutines.io.parallelism")?.toInt() ?: maxOf(64, Runtime.getRuntime().availableProcessors())
