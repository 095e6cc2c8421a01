package threadgauge.tickets.service.memory

import io.lettuce.core.ClientOptions
import io.lettuce.core.RedisClient
import io.lettuce.core.RedisException
import io.lettuce.core.RedisFuture
import io.lettuce.core.TimeoutOptions
import io.lettuce.core.api.StatefulRedisConnection
import io.lettuce.core.api.async.RedisAsyncCommands
import kotlinx.coroutines.future.await
import threadgauge.tickets.sale.SharedStoreUnavailable
import java.io.IOException
import java.time.Duration

/**
 * While the Redis at [address] is away, calls fail at once or after a second, and it is looked for in the background. What was on its way
 * then is not sent again, as Lettuce does unless told: nobody knows whether it was carried out, and twice is not as good as once.
 */
internal fun redisClient(address: String): RedisClient = RedisClient.create(address).apply {
    options = ClientOptions.builder().disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
        // Whatever this says true of is dropped, and fails by its time.
        .replayFilter { true }
        .timeoutOptions(TimeoutOptions.enabled(Duration.ofSeconds(1))).build()
}

/** Waits for the answer to [order] without a thread; failures are [SharedStoreUnavailable]. */
internal suspend fun <T> StatefulRedisConnection<String, String>.execute(
    order: RedisAsyncCommands<String, String>.() -> RedisFuture<T>,
): T? = try {
    order(async()).await()
} catch (failed: RedisException) {
    throw SharedStoreUnavailable(failed)
} catch (broken: IOException) {
    throw SharedStoreUnavailable(broken)
}
