package threadgauge.server.work

/**
 * Number of threads that `Dispatchers.IO` may use at one time. All stacks with coroutines make blocking calls there.
 * The dispatcher does not report it; this is its documented rule: the system property, or 64, or the number of
 * processors if that is higher.
 */
val ioDispatcherThreads: Int
    get() = System.getProperty("kotlinx.coroutines.io.parallelism")?.toInt()
        ?: maxOf(64, Runtime.getRuntime().availableProcessors())
