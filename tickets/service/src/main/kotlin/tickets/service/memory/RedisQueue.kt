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
import java.time.Duration
import java.util.UUID
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource
import kotlinx.coroutines.runBlocking
import org.slf4j.LoggerFactory
import threadgauge.tickets.queue.QueuedRequest
import threadgauge.tickets.queue.SharedQueue
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.rules.Seats
import threadgauge.tickets.sale.SharedStoreUnavailable

/**
 * A queue as a stream in the Redis at [address], read by one consumer group of all services of the [sale]. Answers
 * return over one channel per service. [take] must not be called concurrently.
 *
 * The names of the stream and its fields are part of what services of different versions exchange.
 */
class RedisQueue(
    address: String,
    private val sale: String,
    timeout: Duration = Duration.ofSeconds(5),
) : SharedQueue, AutoCloseable {
    private val stream = "$sale:asks"
    private val client = redisClient(address)
    private val commands = client.connect()

    /** Separate from [commands], because a blocking read delays all commands after it. */
    private val reader = client.connect()
    private val channel = client.connectPubSub()
    private val service = UUID.randomUUID().toString()
    private val consumer = Consumer.from(GROUP, service)

    /**
     * Longer than a consumer may take to grant a request that it took in time. So a request that is still being granted
     * is not given to another consumer.
     */
    private val claimAfter = timeout.multipliedBy(3)
    private var lastClaim = TimeSource.Monotonic.markNow()

    /**
     * The Redis process that the consumer saw last. A request that was put under an older run is not served, and its
     * client retries.
     */
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
        } catch (existing: RedisBusyException) {
            LOG.debug("the consumer group exists already", existing)
        }
        runId = runBlocking { currentRunId() }
        check(runId.isNotEmpty()) { "it does not report its run_id, which identifies requests from before a restart" }
        // Each service is a consumer with a unique name, and killed services could not remove theirs.
        removeConsumers(leavingConsumer = "")
    }

    override fun subscribe(onAnswer: (Long, Answer) -> Unit) {
        this.onAnswer = onAnswer
    }

    override suspend fun put(number: Long, request: SeatRequest, maxQueued: Int): Boolean {
        val fields = listOfNotNull(
            "from", service, "life", runId, "number", "$number", "event", "${request.event}",
            "key", request.key.text, "seats", "${request.seats}", request.user?.let { "user" }, request.user,
        ).toTypedArray()
        return commands.execute {
            eval<Long>(PUT, ScriptOutputType.INTEGER, arrayOf(stream), "$maxQueued", *fields)
        } == 1L
    }

    override suspend fun take(maxBatch: Int): List<QueuedRequest> = try {
        val messages = if (lastClaim.elapsedNow() > CLAIM_INTERVAL) claimAbandoned(maxBatch) else emptyList()
        val found = messages.ifEmpty { next(maxBatch) }
        // Read after the messages. So messages taken before a restart count as older than it, and those of this run
        // were put in it.
        runId = currentRunId()
        val now = if (found.isEmpty()) 0 else serverMillis()
        found.mapNotNull { queued(it, now) }
    } catch (lost: SharedStoreUnavailable) {
        if (!isWithoutGroup(lost)) throw lost
        // This Redis was emptied, or restarted without its data.
        commands.execute { xgroupCreate(StreamOffset.from(stream, "0"), GROUP, MAKE_STREAM) }
        emptyList()
    }

    override suspend fun acknowledge(answers: Map<QueuedRequest, Answer>) {
        // Before the answers are sent: a rejected request must not be redelivered. If this service dies in between, the
        // clients get no answer and retry.
        val handles = answers.keys.map { it.handle }.toTypedArray()
        commands.execute { xack(stream, GROUP, *handles) }
        commands.execute { xdel(stream, *handles) }
        val linesBySender = answers.entries.groupBy({ it.key.sender }) { encodeAnswer(it.key.number, it.value) }
        for ((sender, lines) in linesBySender) {
            if (sender == service) lines.forEach(::deliver) else
                commands.execute { publish(channelOf(sender), lines.joinToString("\n")) }
        }
    }

    override fun close() {
        runCatching { removeConsumers(service) }
            .onFailure { LOG.debug("this consumer was not removed; the next service to start does it", it) }
        listOf(channel, reader, commands).forEach { it.close() }
        client.shutdown()
    }

    private fun removeConsumers(leavingConsumer: String) {
        val maxIdle = "${CONSUMER_EXPIRY.toMillis()}"
        commands.sync().eval<Long>(
            REMOVE_CONSUMERS, ScriptOutputType.INTEGER, arrayOf(stream), GROUP, maxIdle, leavingConsumer,
        )
    }

    private suspend fun next(maxBatch: Int): List<StreamMessage<String, String>> {
        val arguments = XReadArgs.Builder.block(MAX_BLOCK).count(maxBatch.toLong())
        return reader.execute { xreadgroup(consumer, arguments, StreamOffset.lastConsumed(stream)) }.orEmpty()
    }

    /**
     * Messages that another service took and did not acknowledge for so long that it has died or its ledger is down.
     */
    private suspend fun claimAbandoned(maxBatch: Int): List<StreamMessage<String, String>> {
        lastClaim = TimeSource.Monotonic.markNow()
        val claim = XAutoClaimArgs.Builder.xautoclaim(consumer, claimAfter, "0-0").count(maxBatch.toLong())
        return commands.execute { xautoclaim(stream, claim) }?.messages.orEmpty()
    }

    /** Changes with each start of Redis, and with a failover to a replica (Redis documentation, `INFO`: `run_id`). */
    private suspend fun currentRunId(): String = commands.execute { info("server") }.orEmpty()
        .lineSequence().firstOrNull { it.startsWith(RUN_ID) }.orEmpty().removePrefix(RUN_ID).trim()

    /** By the clock from which message identifiers are made. */
    private suspend fun serverMillis(): Long =
        commands.execute { time() }!!.let { (seconds, micros) -> seconds.toLong() * 1_000 + micros.toLong() / 1_000 }

    private fun deliver(line: String) {
        val (number, answer) = decodeAnswer(line)
        onAnswer(number, answer)
    }

    /** Null for a message that no service of this version has put; it is not touched. */
    private fun queued(message: StreamMessage<String, String>, now: Long): QueuedRequest? {
        val fields = message.body
        val key = fields["key"]?.let(IdempotencyKey::of)
        val seats = fields["seats"]?.toLongOrNull()?.let(Seats::of)
        val event = fields["event"]?.toLongOrNull()
        val number = fields["number"]?.toLongOrNull()
        if (key == null || seats == null || event == null || number == null) {
            LOG.warn("ignored a message in the queue that is not a request: {}", message.id)
            return null
        }
        val waited = (now - message.id.substringBefore('-').toLong()).coerceAtLeast(0).milliseconds
        val request = SeatRequest(EventId(event), key, seats, fields["user"])
        val isFromBeforeRestart = fields["life"] != runId
        return QueuedRequest(message.id, fields["from"].orEmpty(), number, request, waited, isFromBeforeRestart)
    }

    private fun isWithoutGroup(lost: SharedStoreUnavailable) =
        (lost.cause as? RedisCommandExecutionException)?.message.orEmpty().startsWith("NOGROUP")

    private fun channelOf(service: String) = "$sale:answers:$service"

    private companion object {
        const val GROUP = "sellers"
        const val RUN_ID = "run_id:"
        val MAKE_STREAM: XGroupCreateArgs = XGroupCreateArgs.Builder.mkstream()

        /** Shorter than the timeout of a command. */
        val MAX_BLOCK: Duration = Duration.ofMillis(500)

        /**
         * Much longer than a live consumer is idle. One that is removed all the same is created again by its next read.
         */
        val CONSUMER_EXPIRY: Duration = Duration.ofMinutes(10)

        /** Adds a message if there are fewer than the limit. */
        const val PUT = """
            if redis.call('XLEN', KEYS[1]) >= tonumber(ARGV[1]) then return 0 end
            redis.call('XADD', KEYS[1], '*', unpack(ARGV, 2))
            return 1"""

        /**
         * Removes consumers that are idle for longer than ARGV[2] milliseconds, or are called ARGV[3]. Messages that a
         * consumer took and did not acknowledge would be lost with it, so only consumers without any are removed.
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
