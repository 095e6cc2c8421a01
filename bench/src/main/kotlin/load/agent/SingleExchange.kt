package threadgauge.load.agent

import io.netty.channel.EventLoop
import io.netty.channel.MultiThreadIoEventLoopGroup
import io.netty.channel.nio.NioIoHandler
import io.netty.channel.socket.nio.NioSocketChannel
import io.netty.util.concurrent.DefaultThreadFactory
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ExecutionException
import java.util.concurrent.TimeUnit
import threadgauge.load.http.Body
import threadgauge.load.http.Client
import threadgauge.load.http.Slot
import threadgauge.model.Outcome
import threadgauge.model.request.Connections
import threadgauge.model.request.Request
import threadgauge.model.request.TlsSession

/**
 * Sends single requests outside any load, with the code of the load agent, so that both understand the same answers.
 * Each request has a connection of its own.
 *
 * Safe for any thread; [close] aborts requests under way.
 */
class SingleExchange(private val request: Request, private val connections: Connections) : AutoCloseable {
    private val group = MultiThreadIoEventLoopGroup(1, DefaultThreadFactory("single", true), NioIoHandler.newFactory())
    private val loop = group.next() as EventLoop
    private val encryption = connections.tls?.let { Client.Encryption(it, connections.protocol) }
    private val plain = connections.copy(perRequest = false, repeatUnprocessed = false, sources = emptyList())

    /**
     * Sends request number [number] to [place], and waits up to [patienceNanos] for the complete answer; for the first
     * message of a stream whose messages are not counted, because it may have no end. Throws `InterruptedException`,
     * and `TimeoutException` if the event loop hangs.
     */
    fun send(place: Address, number: Long, patienceNanos: Long): Exchange {
        val done = CompletableFuture<Exchange>()
        loop.execute { Attempt(done).begin(place, number, patienceNanos) }
        return try {
            // The attempt ends by itself; the doubled time is for a loop that hangs.
            done.get(2 * patienceNanos, TimeUnit.NANOSECONDS)
        } catch (failed: ExecutionException) {
            throw failed.cause ?: failed
        }
    }

    override fun close() {
        group.shutdownGracefully(0, CLOSE_MILLIS, TimeUnit.MILLISECONDS).syncUninterruptibly()
    }

    /** One request, on the event loop. */
    private inner class Attempt(private val done: CompletableFuture<Exchange>) : Slot.Listener {
        private lateinit var client: Client
        private var number = 0L
        private var seen = Exchange(null)

        fun begin(place: Address, number: Long, patienceNanos: Long) = try {
            this.number = number
            val connectMillis = (patienceNanos / 1_000_000).toInt()
            client = Client(
                loop, NioSocketChannel::class.java, listOf(place.socketAddress()), request, plain, encryption,
                seed = 1, connectMillis, listener = this, observer = ::look,
            )
            val slot = client.newSlot(0)
            slot.connect()
            val giveUp = { if (!done.isDone) slot.abandon(Outcome.RESPONSE_TIMEOUT) }
            val late = loop.schedule(giveUp, patienceNanos, TimeUnit.NANOSECONDS)
            done.whenComplete { _, _ -> late.cancel(false) }
            if (request.isEndless) awaitMessage(slot)
            Unit
        } catch (failure: Exception) {
            done.completeExceptionally(failure)
            Unit
        }

        private fun awaitMessage(slot: Slot) {
            val look = Runnable { if (!done.isDone && (slot.body.tap?.messages ?: 0) > 0) endWith(slot) }
            val looks = loop.scheduleAtFixedRate(look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS)
            done.whenComplete { _, _ -> looks.cancel(false) }
        }

        /** The stream began as it should, if its status is right. */
        private fun endWith(slot: Slot) {
            look(slot)
            end(slot, client.answers.first().outcomeOf(slot.status))
        }

        override fun connected(slot: Slot, opened: Boolean) {
            slot.number = number
            slot.sentNanos = System.nanoTime()
            slot.send()
        }

        override fun answered(slot: Slot, outcome: Outcome?) = end(slot, outcome)

        override fun failed(slot: Slot, outcome: Outcome) = end(slot, outcome)

        override fun closedWhileIdle(slot: Slot) = Unit

        private fun look(slot: Slot) {
            val body = slot.body
            seen = Exchange(
                outcome = null,
                status = slot.status.takeIf { it > 0 },
                bytes = body.length,
                length = slot.length.takeIf { it >= 0 },
                contentType = slot.contentType,
                body = body.kept.copyOf(body.keptLength),
                messages = body.tap?.messages,
            )
        }

        private fun end(slot: Slot, outcome: Outcome?) {
            if (done.isDone) return
            done.complete(
                seen.copy(outcome = outcome, tls = client.tls.firstOrNull(), tlsFailure = client.tlsFailure),
            )
            // The slot is in the middle of calling this listener, so it is closed afterwards.
            loop.execute {
                slot.close()
                client.close()
            }
        }
    }

    private companion object {
        const val CLOSE_MILLIS = 100L
        const val LOOK_MILLIS = 20L
    }
}

/**
 * The result of a single request: [outcome] is null for a correct answer. The rest is what had been received when the
 * answer ended or was given up: its [status], the [bytes] of its body so far, the [length] that its head declares, its
 * [contentType], the [body] as it was sent, up to [Body.MAX_KEPT_BYTES], the [messages] of a stream, and the outcome of
 * TLS.
 */
class Exchange(
    val outcome: Outcome?,
    val status: Int? = null,
    val bytes: Long = 0,
    val length: Long? = null,
    val contentType: String? = null,
    val body: ByteArray = ByteArray(0),
    val tls: TlsSession? = null,
    val tlsFailure: Throwable? = null,
    val messages: Long? = null,
) {
    internal fun copy(outcome: Outcome?, tls: TlsSession?, tlsFailure: Throwable?) =
        Exchange(outcome, status, bytes, length, contentType, body, tls, tlsFailure, messages)
}
