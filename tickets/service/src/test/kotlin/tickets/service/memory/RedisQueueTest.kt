package threadgauge.tickets.service.memory

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.lettuce.core.RedisClient
import io.lettuce.core.api.sync.RedisCommands
import java.net.InetAddress
import java.net.ServerSocket
import java.net.Socket
import java.net.URI
import java.util.concurrent.CopyOnWriteArrayList
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.tickets.queue.QueuedRequest
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.rules.Seats
import threadgauge.tickets.sale.SharedStoreUnavailable
import threadgauge.tickets.service.TestRedis

/** On a Redis of its own, which the tests empty. */
@Tag("processes")
class RedisQueueTest {
    private val redis = TestRedis.Another()
    private val one = RedisQueue(redis.address, "sale")
    private val other = RedisQueue(redis.address, "sale")
    private val outsider = RedisQueue(redis.address, "another")

    @BeforeEach
    fun empty() {
        commands { flushall() }
    }

    @AfterEach
    fun close() = listOf(one, other, outsider, redis).forEach { it.close() }

    @Test
    fun `a request of one service is taken by another, and the answer returns`() = runBlocking<Unit> {
        val received = CompletableDeferred<Pair<Long, Answer>>()
        one.subscribe { number, answer -> received.complete(number to answer) }
        one.take(1).shouldBeEmpty()
        one.put(7, request("a", user = "Zoë & Co"), MAX_QUEUED) shouldBe true
        outsider.take(1).shouldBeEmpty()
        val taken = other.takeSome()
        taken.map { it.request } shouldContainExactly listOf(request("a", user = "Zoë & Co"))
        one.take(1).shouldBeEmpty()
        other.acknowledge(mapOf(taken.single() to Answer.TooFewSeats(3)))
        withTimeout(10.seconds) { received.await() } shouldBe (7L to Answer.TooFewSeats(3))
        commands { xlen("sale:asks") } shouldBe 0
    }

    @Test
    fun `an emptied queue goes on with later requests`() = runBlocking<Unit> {
        one.put(1, request("lost"), MAX_QUEUED) shouldBe true
        commands { flushall() }
        one.put(2, request("kept"), MAX_QUEUED) shouldBe true
        one.takeSome().map { it.request.key.text } shouldContainExactly listOf("kept")
    }

    @Test
    fun `a message that is not a request is ignored and blocks nothing`() = runBlocking<Unit> {
        one.take(1)
        commands { xadd("sale:asks", mapOf("seats" to "-1")) }
        one.put(1, request("a"), MAX_QUEUED) shouldBe true
        one.takeSome().map { it.request.key.text } shouldContainExactly listOf("a")
    }

    @Test
    fun `a full queue accepts no more requests`() = runBlocking<Unit> {
        List(5) { one.put(it.toLong(), request("k$it"), maxQueued = 3) } shouldBe listOf(true, true, true, false, false)
        other.put(9, request("z"), maxQueued = 3) shouldBe false
        other.acknowledge(other.takeSome().associateWith { Answer.TooFewSeats(0) })
        one.put(9, request("z"), maxQueued = 3) shouldBe true
    }

    @Test
    fun `a request whose reply from Redis is lost is not put twice`() = runBlocking<Unit> {
        CuttingProxy(URI(redis.address).port).use { proxy ->
            RedisQueue("redis://127.0.0.1:${proxy.port}", "sale").use { cut ->
                proxy.isDroppingReplies = true
                shouldThrow<SharedStoreUnavailable> { cut.put(1, request("a"), MAX_QUEUED) }
                commands { xlen("sale:asks") } shouldBe 1
                proxy.isDroppingReplies = false
                proxy.cutAll()
                // The next success shows that it has reconnected.
                withTimeout(20.seconds) {
                    while (runCatching { cut.put(2, request("b"), MAX_QUEUED) }.isFailure) delay(50)
                }
                one.takeSome().map { it.request.key.text } shouldContainExactly listOf("a", "b")
            }
        }
    }

    /** A proxy before the Redis at [to], which drops replies if [isDroppingReplies]. */
    private class CuttingProxy(private val to: Int) : AutoCloseable {
        private val server = ServerSocket(0, 50, InetAddress.getLoopbackAddress())
        private val sockets = CopyOnWriteArrayList<Socket>()
        val port: Int get() = server.localPort

        @Volatile
        var isDroppingReplies = false

        init {
            Thread.ofVirtual().start {
                while (!server.isClosed) runCatching {
                    val client = server.accept()
                    val redis = Socket(InetAddress.getLoopbackAddress(), to)
                    sockets += listOf(client, redis)
                    Thread.ofVirtual().start { pass(client, redis) { false } }
                    Thread.ofVirtual().start { pass(redis, client) { isDroppingReplies } }
                }
            }
        }

        private fun pass(sender: Socket, to: Socket, isLost: () -> Boolean) {
            runCatching {
                val bytes = ByteArray(10_000)
                while (true) {
                    val length = sender.getInputStream().read(bytes)
                    if (length < 0) break
                    if (!isLost()) to.getOutputStream().write(bytes, 0, length)
                }
            }
            listOf(sender, to).forEach { it.close() }
        }

        fun cutAll() = sockets.forEach { it.close() }

        override fun close() {
            server.close()
            cutAll()
        }
    }

    @Test
    fun `a closed queue leaves the consumer group, unless it has unacknowledged requests`() = runBlocking<Unit> {
        fun consumers() = commands { xinfoConsumers("sale:asks", "sellers") }.size
        suspend fun RedisQueue.served(key: String): Int {
            put(1, request(key), MAX_QUEUED)
            acknowledge(takeSome().associateWith { Answer.TooFewSeats(0) })
            return consumers()
        }
        one.served("a") shouldBe 1
        RedisQueue(redis.address, "sale").use { it.served("b") shouldBe 2 }
        consumers() shouldBe 1
        one.put(1, request("c"), MAX_QUEUED)
        RedisQueue(redis.address, "sale").use { it.takeSome() }
        consumers() shouldBe 2
    }

    @Test
    fun `a Redis that may lose data is detected by its settings`() {
        commands { durabilityWarning() } shouldBe null
        commands { configSet("appendfsync", "everysec"); durabilityWarning() } shouldBe
            "it replies before it writes to disk (appendfsync everysec)"
        commands { configSet("appendonly", "no"); durabilityWarning() } shouldBe
            "it does not write to disk (appendonly no)"
        withoutCredentials("redis://:secret@127.0.0.1:6379/1") shouldBe "redis://127.0.0.1:6379"
    }

    private suspend fun RedisQueue.takeSome(): List<QueuedRequest> = withTimeout(10.seconds) {
        var taken = take(10)
        while (taken.isEmpty()) taken = take(10)
        taken
    }

    private fun <T> commands(command: RedisCommands<String, String>.() -> T): T =
        RedisClient.create(redis.address).use { client -> client.connect().use { command(it.sync()) } }

    private companion object {
        const val MAX_QUEUED = 100
    }

    private fun request(key: String, user: String? = null) =
        SeatRequest(EventId(1), IdempotencyKey.of(key)!!, Seats.of(2)!!, user)
}
