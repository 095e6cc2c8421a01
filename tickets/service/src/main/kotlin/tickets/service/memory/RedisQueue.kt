package threadgauge.tickets.service.memory

import io.lettuce.core.Consumer
import io.lettuce.core.RedisBusyException
import io.lettuce.core.RedisCommandExecutionException
import io.lettuce.core.ScriptOutputType
import io.lettuce.core.StreamMessage
import io.lettuce.core.XAutoClaimArgs
import io.lettuce.core.XGroupCreateArgs
import io.lettuce.core.XReadArgs
import io.lettuce.core.XReadArgs.StreamOffset
import io.lettuce.core.pubsub.RedisPubSubAdapter
import kotlinx.coroutines.runBlocking
import org.slf4j.LoggerFactory
import threadgauge.tickets.queue.QueuedRequest
import threadgauge.tickets.queue.SharedQueue
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.Seats
import threadgauge.tickets.sale.SharedStoreUnavailable
import java.time.Duration
import java.util.UUID
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/**
 * A stream in the Redis at [address], read by one group to which all services of the [sale] belong. Answers come back over a channel for
 * each service. [take] is called by one coroutine at a time.
 */
class RedisQueue(address: String, private val sale: String, patience: Duration = Duration.ofSeconds(5)) : SharedQueue, AutoCloseable {
    private val stream = "$sale:asks"
    private val client = redisClient(address)
    private val commands = client.connect()

    /** Apart from [commands], because a read that waits holds up everything behind it. */
    private val reader = client.connect()
    private val channel = client.connectPubSub()
    private val service = UUID.randomUUID().toString()
    private val consumer = Consumer.from(GROUP, service)
    /** Longer than a consumer is patient with its books, and an ask in time: whoever still serves it is not joined by another. */
    private val claimAfter = patience.multipliedBy(3)
    private var lastClaim = TimeSource.Monotonic.markNow()

    /** Of the Redis, as the consumer has last seen it. An ask that is put with an old one is not served, and its caller asks again. */
    @Volatile
    private var runId: String

    @Volatile
    private var onAnswer: (Long, Answer) -> Unit = { _, _ -> }

    init {
        channel.addListener(object : RedisPubSubAdapter<String, String>() {
            override fun message(channel: String, message: String) = message.lineSequence().forEach(::deliver)
        })
        channel.sync().subscribe(channelOf(service))
        try {
            commands.sync().xgroupCreate(StreamOffset.from(stream, "0"), GROUP, MAKE_STREAM)
        } catch (there: RedisBusyException) {
            LOG.debug("the group is there already", there)
        }
        runId = runBlocking { currentRunId() }
        check(runId.isNotEmpty()) { "it does not tell its run_id, by which asks are known that it came back with" }
        // Each service is a consumer with a name of its own, and those that were killed could not take theirs away.
        removeConsumers(leavingConsumer = "")
    }

    override fun subscribe(onAnswer: (Long, Answer) -> Unit) {
        this.onAnswer = onAnswer
    }

    override suspend fun put(number: Long, request: SeatRequest, maxQueued: Int): Boolean {
        val fields = listOfNotNull(
            "from", service, "life", runId, "number", "$number", "event", "${request.event}", "key", request.key.text, "seats", "${request.seats}",
            request.user?.let { "user" }, request.user,
        )
        return commands.execute { eval<Long>(PUT, ScriptOutputType.INTEGER, arrayOf(stream), "$maxQueued", *fields.toTypedArray()) } == 1L
    }

    override suspend fun take(maxBatch: Int): List<QueuedRequest> = try {
        val messages = if (lastClaim.elapsedNow() > CLAIM_INTERVAL) claimAbandoned(maxBatch) else emptyList()
        val found = messages.ifEmpty { next(maxBatch) }
        // Asked afterwards: what was taken before Redis ended is of an earlier life then, and what is of this one was put there in it.
        runId = currentRunId()
        val now = if (found.isEmpty()) 0 else serverMillis()
        found.mapNotNull { queued(it, now) }
    } catch (lost: SharedStoreUnavailable) {
        if (!isWithoutGroup(lost)) throw lost
        // Somebody has emptied this Redis, or it came back without what was in it.
        commands.execute { xgroupCreate(StreamOffset.from(stream, "0"), GROUP, MAKE_STREAM) }
        emptyList()
    }

    override suspend fun acknowledge(answers: Map<QueuedRequest, Answer>) {
        // Before anybody is told: an ask whose caller was refused must not come out once more. Where this service dies in between, the
        // caller hears nothing, and asks again.
        val handles = answers.keys.map { it.handle }.toTypedArray()
        commands.execute { xack(stream, GROUP, *handles) }
        commands.execute { xdel(stream, *handles) }
        for ((sender, told) in answers.entries.groupBy({ it.key.sender }) { encodeAnswer(it.key.number, it.value) }) {
            if (sender == service) told.forEach(::deliver) else commands.execute { publish(channelOf(sender), told.joinToString("\n")) }
        }
    }

    override fun close() {
        runCatching { removeConsumers(service) }.onFailure { LOG.debug("whoever starts next will take this consumer away", it) }
        listOf(channel, reader, commands).forEach { it.close() }
        client.shutdown()
    }

    private fun removeConsumers(leavingConsumer: String) {
        commands.sync().eval<Long>(REMOVE_CONSUMERS, ScriptOutputType.INTEGER, arrayOf(stream), GROUP, "${CONSUMER_EXPIRY.toMillis()}", leavingConsumer)
    }

    private suspend fun next(maxBatch: Int): List<StreamMessage<String, String>> =
        reader.execute { xreadgroup(consumer, XReadArgs.Builder.block(MAX_BLOCK).count(maxBatch.toLong()), StreamOffset.lastConsumed(stream)) }
            .orEmpty()

    /** Taken by some service and not done for so long that it must have died, or that its books were away. */
    private suspend fun claimAbandoned(maxBatch: Int): List<StreamMessage<String, String>> {
        lastClaim = TimeSource.Monotonic.markNow()
        val claim = XAutoClaimArgs.Builder.xautoclaim(consumer, claimAfter, "0-0").count(maxBatch.toLong())
        return commands.execute { xautoclaim(stream, claim) }?.messages.orEmpty()
    }

    /** A Redis has a new name each time it starts, and so has one that takes another's place (Redis documentation, `INFO`: `run_id`). */
    private suspend fun currentRunId(): String =
        commands.execute { info("server") }.orEmpty().lineSequence().firstOrNull { it.startsWith(RUN_ID) }.orEmpty().removePrefix(RUN_ID).trim()

    /** By the clock that also makes the identifiers of messages. */
    private suspend fun serverMillis(): Long =
        commands.execute { time() }!!.let { (seconds, micros) -> seconds.toLong() * 1_000 + micros.toLong() / 1_000 }

    private fun deliver(line: String) {
        val (number, answer) = decodeAnswer(line)
        onAnswer(number, answer)
    }

    /** Null for what no service of this version has put there; it is left to whoever did. */
    private fun queued(message: StreamMessage<String, String>, now: Long): QueuedRequest? {
        val fields = message.body
        val key = fields["key"]?.let(IdempotencyKey::of)
        val seats = fields["seats"]?.toLongOrNull()?.let(Seats::of)
        val event = fields["event"]?.toLongOrNull()
        val number = fields["number"]?.toLongOrNull()
        if (key == null || seats == null || event == null || number == null) {
            LOG.warn("the queue holds something that is no ask: {}", message.id)
            return null
        }
        val waited = (now - message.id.substringBefore('-').toLong()).coerceAtLeast(0).milliseconds
        val request = SeatRequest(EventId(event), key, seats, fields["user"])
        return QueuedRequest(message.id, fields["from"].orEmpty(), number, request, waited, isFromBeforeRestart = fields["life"] != runId)
    }

    private fun isWithoutGroup(lost: SharedStoreUnavailable) =
        (lost.cause as? RedisCommandExecutionException)?.message.orEmpty().startsWith("NOGROUP")

    private fun channelOf(service: String) = "$sale:answers:$service"

    private companion object {
        const val GROUP = "sellers"
        const val RUN_ID = "run_id:"
        val MAKE_STREAM: XGroupCreateArgs = XGroupCreateArgs.Builder.mkstream()

        /** Shorter than a call may take. */
        val MAX_BLOCK: Duration = Duration.ofMillis(500)

        /** Much longer than one that lives is idle; one that lives all the same is made anew when it next takes something. */
        val CONSUMER_EXPIRY: Duration = Duration.ofMinutes(10)

        /** Adds an ask, where there are not so many already. */
        const val PUT = """
            if redis.call('XLEN', KEYS[1]) >= tonumber(ARGV[1]) then return 0 end
            redis.call('XADD', KEYS[1], '*', unpack(ARGV, 2))
            return 1"""

        /**
         * Takes consumers away that have been idle for so long, or have that name. With a consumer goes what it has taken and not done, so
         * only one that has nothing is taken away.
         */
        const val REMOVE_CONSUMERS = """
            for _, consumer in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])) do
                local name, pending, idle = consumer[2], consumer[4], consumer[6]
                if pending == 0 and (idle > tonumber(ARGV[2]) or name == ARGV[3]) then
                    redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], name)
                end
            end
            return 0"""

        val CLAIM_INTERVAL = 5.seconds
        val LOG = LoggerFactory.getLogger(RedisQueue::class.java)!!
    }
}
