package threadgauge.tickets.service.memory

import io.lettuce.core.ClientOptions
import io.lettuce.core.RedisClient
import io.lettuce.core.RedisException
import io.lettuce.core.RedisFuture
import io.lettuce.core.TimeoutOptions
import io.lettuce.core.api.StatefulRedisConnection
import io.lettuce.core.api.async.RedisAsyncCommands
import java.io.IOException
import java.time.Duration
import kotlinx.coroutines.future.await
import threadgauge.tickets.sale.SharedStoreUnavailable

/**
 * A client that fails fast: while the Redis at [address] is down, commands fail at once or after a second, and the
 * client reconnects in the background. Commands in flight are not sent again, which is Lettuce's default. It is unknown
 * whether they were executed, and they are not idempotent.
 */
internal fun redisClient(address: String): RedisClient = RedisClient.create(address).apply {
    options = ClientOptions.builder().disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
        // Commands for which this returns true are dropped, and fail by their timeout.
        .replayFilter { true }
        .timeoutOptions(TimeoutOptions.enabled(Duration.ofSeconds(1))).build()
}

/** Suspends until the reply to [command]. Throws [SharedStoreUnavailable] on failure. */
internal suspend fun <T> StatefulRedisConnection<String, String>.execute(
    command: RedisAsyncCommands<String, String>.() -> RedisFuture<T>,
): T? = try {
    command(async()).await()
} catch (failed: RedisException) {
    throw SharedStoreUnavailable(failed)
} catch (broken: IOException) {
    throw SharedStoreUnavailable(broken)
}
