package threadgauge.tickets.service.memory

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
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException
import java.util.concurrent.atomic.AtomicLong

/**
 * Redisson's lock at the Redis of [address], one for each event of the [sale]. Redisson knows an owner by the number of his thread, and
 * coroutines change threads; so every owner gets a number of his own.
 */
class RedisLock(address: String, private val sale: String) : SharedLock, AutoCloseable {
    private val client = Redisson.create(
        Config().apply { useSingleServer().setAddress(address).setConnectionMinimumIdleSize(1).setTimeout(COMMAND_TIMEOUT_MILLIS) },
    )
    private val owners = AtomicLong()

    override suspend fun <T> withLock(event: EventId, block: suspend () -> T): T {
        val lock = client.getLock("$sale:$event:lock")
        val owner = owners.incrementAndGet()
        // Whoever goes away while he waits would get it later, and nobody would give it back.
        val isHad = withContext(NonCancellable) {
            asked { lock.tryLockAsync(MAX_WAIT_SECONDS, LEASE_SECONDS, TimeUnit.SECONDS, owner).suspended() }
        }
        if (!isHad) throw SharedStoreUnavailable(TimeoutException("the lock of event $event was not to be had within $MAX_WAIT_SECONDS s"))
        try {
            return block()
        } finally {
            // Not there any more where the lease was over: then it is somebody else's.
            withContext(NonCancellable) { runCatching { lock.unlockAsync(owner).suspended() } }
        }
    }

    override fun close() = client.shutdown()

    /** What Redisson itself calls await holds the thread. */
    private suspend fun <T> RFuture<T>.suspended(): T = toCompletableFuture().await()

    private suspend fun <T> asked(command: suspend () -> T): T = try {
        command()
    } catch (failed: RedisException) {
        throw SharedStoreUnavailable(failed)
    }

    private companion object {
        const val LEASE_SECONDS = 10L

        /** Within the patience of whoever asks. */
        const val MAX_WAIT_SECONDS = 4L
        const val COMMAND_TIMEOUT_MILLIS = 1_000
    }
}
