package threadgauge.tickets.service.memory

import io.lettuce.core.ScriptOutputType
import threadgauge.tickets.gate.GateDecision
import threadgauge.tickets.gate.SeatGate
import threadgauge.tickets.published.SharedCount
import threadgauge.tickets.rules.EventId

/**
 * A count per event of the [sale] in the Redis at [address], used as a gate and as a plain number. All callers share
 * one connection, over which Redis replies in order.
 */
class RedisCounts(address: String, private val sale: String) : SeatGate, SharedCount, AutoCloseable {
    private val client = redisClient(address)
    private val connection = client.connect()

    override suspend fun enter(event: EventId, seats: Int): GateDecision {
        val left = connection.execute {
            eval<Long>(ENTER, ScriptOutputType.INTEGER, arrayOf(keyOf(event)), "$seats")
        }
        return when (left) {
            NOT_KNOWN -> GateDecision.NOT_KNOWN
            TOO_FEW -> GateDecision.TOO_FEW
            else -> GateDecision.IN
        }
    }

    override suspend fun giveBack(event: EventId, seats: Int) {
        connection.execute { eval<Long>(GIVE_BACK, ScriptOutputType.INTEGER, arrayOf(keyOf(event)), "$seats") }
    }

    override suspend fun correct(event: EventId, remaining: Int) = write(event, remaining)

    override suspend fun read(event: EventId): Int? = connection.execute { get(keyOf(event)) }?.toInt()

    override suspend fun write(event: EventId, remaining: Int) {
        connection.execute { setex(keyOf(event), EXPIRY_SECONDS, "$remaining") }
    }

    override fun close() {
        connection.close()
        client.shutdown()
    }

    private fun keyOf(event: EventId) = "$sale:$event:remaining"

    private companion object {
        /** Counts of past events expire, since nothing else removes them. One needed later is read from the ledger. */
        const val EXPIRY_SECONDS = 7L * 24 * 3_600
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
