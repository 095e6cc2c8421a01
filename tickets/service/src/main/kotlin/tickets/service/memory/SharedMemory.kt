package threadgauge.tickets.service.memory

import threadgauge.tickets.service.store.UnusableBooks

/**
 * The Redis at [address], connected to by whoever first asks for one of its parts. All that is kept there is kept under the name of the
 * [sale], so that services with other books are not met. Throws [UnusableBooks] where there is no address, or nobody answers at it. Used by
 * the thread that starts the service, and closed by the one that ends it.
 */
class SharedMemory(private val address: String?, private val sale: String) : AutoCloseable {
    private val opened = ArrayList<AutoCloseable>()

    val counts: RedisMemory by lazy { open(::RedisMemory) }
    val lock: RedisLock by lazy { open(::RedisLock) }
    val queue: RedisQueue by lazy { open(::RedisQueue) }

    override fun close() = opened.asReversed().forEach { it.close() }

    private fun <T : AutoCloseable> open(connect: (String, String) -> T): T {
        val place = address?.takeIf { it.isNotBlank() } ?: throw UnusableBooks(
            "the strategy needs memory that services share",
            "Set tickets.redis to the address of a Redis, such as redis://127.0.0.1:6379, or tickets.strategy to batch, which needs none.",
        )
        return try {
            connect(place, sale).also(opened::add)
        } catch (refused: RuntimeException) {
            val why = generateSequence<Throwable>(refused) { it.cause }.last().message
            // What stands before the @ is a password.
            val shown = place.substringBefore("://") + "://" + place.substringAfter("://").substringAfterLast('@')
            throw UnusableBooks("the Redis at $shown cannot be used: $why", "See that it runs, and look at tickets.redis.", refused)
        }
    }
}
