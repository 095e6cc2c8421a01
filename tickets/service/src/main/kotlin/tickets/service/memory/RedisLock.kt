package threadgauge.tickets.service.memory

import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException
import java.util.concurrent.atomic.AtomicLong
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.future.await
import kotlinx.coroutines.withContext
import org.redisson.Redisson
import org.redisson.api.RFuture
import org.redisson.client.RedisException
import org.redisson.config.Config
import threadgauge.tickets.published.SharedLock
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.sale.SharedStoreUnavailable

/**
 * Redisson's lock in the Redis at [address], one per event of the [sale]. Redisson identifies an owner by its thread
 * ID, and coroutines change threads. So each owner gets a unique number instead.
 */
class RedisLock(address: String, private val sale: String) : SharedLock, AutoCloseable {
    private val client = Redisson.create(
        Config().apply {
            useSingleServer().setAddress(address).setConnectionMinimumIdleSize(1).setTimeout(COMMAND_TIMEOUT_MILLIS)
        },
    )
    private val owners = AtomicLong()

    override suspend fun <T> withLock(event: EventId, block: suspend () -> T): T {
        val lock = client.getLock("$sale:$event:lock")
        val owner = owners.incrementAndGet()
        // A caller cancelled during the wait would acquire the lock later, and nobody would release it.
        val isAcquired = withContext(NonCancellable) {
            execute { lock.tryLockAsync(MAX_WAIT_SECONDS, LEASE_SECONDS, TimeUnit.SECONDS, owner).suspended() }
        }
        if (!isAcquired) {
            throw SharedStoreUnavailable(
                TimeoutException("the lock of event $event was not acquired within $MAX_WAIT_SECONDS s"),
            )
        }
        try {
            return block()
        } finally {
            // Fails if the lease has expired, because the lock then belongs to another owner.
            withContext(NonCancellable) { runCatching { lock.unlockAsync(owner).suspended() } }
        }
    }

    override fun close() = client.shutdown()

    /** Redisson's own `await` blocks the thread. */
    private suspend fun <T> RFuture<T>.suspended(): T = toCompletableFuture().await()

    private suspend fun <T> execute(command: suspend () -> T): T = try {
        command()
    } catch (failed: RedisException) {
        throw SharedStoreUnavailable(failed)
    }

    private companion object {
        const val LEASE_SECONDS = 10L

        /** Less than the timeout of a request. */
        const val MAX_WAIT_SECONDS = 4L
        const val COMMAND_TIMEOUT_MILLIS = 1_000
    }
}
