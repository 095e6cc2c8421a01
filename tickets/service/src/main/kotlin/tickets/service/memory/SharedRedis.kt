package threadgauge.tickets.service.memory

import java.time.Duration
import org.slf4j.LoggerFactory
import threadgauge.tickets.service.StartupError

/**
 * The Redis at [address]. Connects at the first access to one of its parts. All its keys begin with the name of the
 * [sale], so services with another ledger can share the Redis. Throws [StartupError] if there is no address, or the
 * Redis does not answer. Used by the thread that starts the service, and closed by the one that ends it.
 */
class SharedRedis(
    private val address: String?,
    private val sale: String,
    private val timeout: Duration = Duration.ofSeconds(5),
) : AutoCloseable {
    private val opened = ArrayList<AutoCloseable>()

    val counts: RedisCounts by lazy { open(::RedisCounts) }
    val lock: RedisLock by lazy { open(::RedisLock) }
    val queue: RedisQueue by lazy { open { address, sale -> RedisQueue(address, sale, timeout) } }

    override fun close() = opened.asReversed().forEach { it.close() }

    private fun <T : AutoCloseable> open(connect: (String, String) -> T): T {
        val redis = address?.takeIf { it.isNotBlank() } ?: throw StartupError(
            "the strategy needs a Redis, and tickets.redis is not set",
            "Set tickets.redis to the address of a Redis, such as redis://127.0.0.1:6379, " +
                "or tickets.strategy to batch, which needs none.",
        )
        return try {
            if (opened.isEmpty()) warnIfNotDurable(redis)
            connect(redis, sale).also(opened::add)
        } catch (refused: RuntimeException) {
            val why = generateSequence<Throwable>(refused) { it.cause }.last().message
            val remedy = "Check that it runs, and tickets.redis."
            throw StartupError("the Redis at ${withoutCredentials(redis)} cannot be used: $why", remedy, refused)
        }
    }

    private fun warnIfNotDurable(redis: String) {
        val client = redisClient(redis)
        try {
            val warning = client.connect().use { it.sync().durabilityWarning() } ?: return
            LOG.warn(
                "the Redis at {} may lose data: {}. No promise depends on it, but queued requests are lost with it",
                withoutCredentials(redis), warning,
            )
        } finally {
            client.shutdown()
        }
    }

    private companion object {
        val LOG = LoggerFactory.getLogger(SharedRedis::class.java)!!
    }
}
