package threadgauge.tickets.service.memory

import org.slf4j.LoggerFactory
import threadgauge.tickets.service.store.StartupError
import java.time.Duration

/**
 * The Redis at [address], connected to by whoever first asks for one of its parts. All that is kept there is kept under the name of the
 * [sale], so that services with other books are not met. Throws [StartupError] where there is no address, or nobody answers at it. Used by
 * the thread that starts the service, and closed by the one that ends it.
 */
class SharedRedis(private val address: String?, private val sale: String, private val patience: Duration = Duration.ofSeconds(5)) :
    AutoCloseable {
    private val opened = ArrayList<AutoCloseable>()

    val counts: RedisCounts by lazy { open(::RedisCounts) }
    val lock: RedisLock by lazy { open(::RedisLock) }
    val queue: RedisQueue by lazy { open { address, sale -> RedisQueue(address, sale, patience) } }

    override fun close() = opened.asReversed().forEach { it.close() }

    private fun <T : AutoCloseable> open(connect: (String, String) -> T): T {
        val place = address?.takeIf { it.isNotBlank() } ?: throw StartupError(
            "the strategy needs memory that services share",
            "Set tickets.redis to the address of a Redis, such as redis://127.0.0.1:6379, or tickets.strategy to batch, which needs none.",
        )
        return try {
            if (opened.isEmpty()) warnOf(place)
            connect(place, sale).also(opened::add)
        } catch (refused: RuntimeException) {
            val why = generateSequence<Throwable>(refused) { it.cause }.last().message
            val remedy = "See that it runs, and look at tickets.redis."
            throw StartupError("the Redis at ${withoutCredentials(place)} cannot be used: $why", remedy, refused)
        }
    }

    private fun warnOf(place: String) {
        val client = redisClient(place)
        try {
            val words = client.connect().use { it.sync().durabilityWarning() } ?: return
            LOG.warn("the Redis at {} may forget: {}. No promise depends on it, but asks in a queue are lost with it", withoutCredentials(place), words)
        } finally {
            client.shutdown()
        }
    }

    private companion object {
        val LOG = LoggerFactory.getLogger(SharedRedis::class.java)!!
    }
}
