package threadgauge.tickets.service.memory

import io.lettuce.core.ClientOptions
import io.lettuce.core.RedisClient
import io.lettuce.core.RedisException
import io.lettuce.core.RedisFuture
import io.lettuce.core.ScriptOutputType
import io.lettuce.core.TimeoutOptions
import io.lettuce.core.api.async.RedisAsyncCommands
import kotlinx.coroutines.future.await
import threadgauge.tickets.gate.Entry
import threadgauge.tickets.gate.Gate
import threadgauge.tickets.published.SharedCount
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.sale.MemoryLost
import java.time.Duration

/**
 * A count for each event in Redis at [address], as a gate and as a plain number. One connection for all callers: Redis answers in the order
 * in which it is asked. While it is away, calls fail at once or after [TIMEOUT], and it is looked for in the background.
 */
class RedisMemory(address: String) : Gate, SharedCount, AutoCloseable {
    private val client = RedisClient.create(address).apply {
        options = ClientOptions.builder().disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
            .timeoutOptions(TimeoutOptions.enabled(TIMEOUT)).build()
    }
    private val connection = client.connect()

    override suspend fun enter(event: EventId, seats: Int): Entry {
        val left = asked { eval<Long>(ENTER, ScriptOutputType.INTEGER, arrayOf(keyOf(event)), "$seats") }
        return when (left) {
            NOT_KNOWN -> Entry.NOT_KNOWN
            TOO_FEW -> Entry.TOO_FEW
            else -> Entry.IN
        }
    }

    override suspend fun giveBack(event: EventId, seats: Int) {
        asked { eval<Long>(GIVE_BACK, ScriptOutputType.INTEGER, arrayOf(keyOf(event)), "$seats") }
    }

    override suspend fun correct(event: EventId, remaining: Int) = write(event, remaining)

    override suspend fun read(event: EventId): Int? = asked { get(keyOf(event)) }?.toInt()

    override suspend fun write(event: EventId, remaining: Int) {
        asked { set(keyOf(event), "$remaining") }
    }

    override fun close() {
        connection.close()
        client.shutdown()
    }

    private suspend fun <T> asked(order: RedisAsyncCommands<String, String>.() -> RedisFuture<T>): T? = try {
        order(connection.async()).await()
    } catch (failed: RedisException) {
        throw MemoryLost(failed)
    }

    private fun keyOf(event: EventId) = "tickets:$event:remaining"

    private companion object {
        val TIMEOUT: Duration = Duration.ofSeconds(1)
        const val TOO_FEW = -1L
        const val NOT_KNOWN = -2L

        val ENTER = """
            local left = tonumber(redis.call('GET', KEYS[1]) or '$NOT_KNOWN')
            if left == $NOT_KNOWN then return $NOT_KNOWN end
            if left < tonumber(ARGV[1]) then return $TOO_FEW end
            return redis.call('DECRBY', KEYS[1], ARGV[1])
        """.trimIndent()

        val GIVE_BACK = """
            if redis.call('EXISTS', KEYS[1]) == 0 then return $NOT_KNOWN end
            return redis.call('INCRBY', KEYS[1], ARGV[1])
        """.trimIndent()
    }
}
