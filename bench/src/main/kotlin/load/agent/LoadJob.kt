package threadgauge.load.agent

import io.netty.bootstrap.Bootstrap
import io.netty.buffer.PooledByteBufAllocator
import io.netty.buffer.Unpooled
import io.netty.channel.ChannelOption
import io.netty.channel.EventLoop
import io.netty.channel.socket.SocketChannel
import org.HdrHistogram.Histogram
import threadgauge.load.http.requestBytes
import threadgauge.load.record.SecondRecord
import threadgauge.model.AgentHealth
import threadgauge.model.Outcome
import java.net.InetSocketAddress
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException

/** Carries out one work order over all event loops and says what came of it through [say], which may be called by any thread. */
internal class LoadJob(
    private val order: WorkOrder,
    private val eventLoops: List<EventLoop>,
    private val channelType: Class<out SocketChannel>,
    private val say: (AgentMessage) -> Unit,
) {
    private val tasks = eventLoops.indices.map { loopTask(order, it, eventLoops.size) }

    fun run() {
        val loops = loops()
        CompletableFuture.allOf(*loops.map { it.prepare() }.toTypedArray()).get()
        val before = Vitals.now()
        val startNanos = System.nanoTime() + order.leadNanos
        say(AgentMessage.Started(order.id, startNanos, tasks.first().windowNanos))
        loops.forEach { it.start(startNanos) }
        pulseUntilFinished(loops, startNanos)
        say(done(loops, startNanos, before))
    }

    private fun loops(): List<LoadLoop> {
        val address = order.targets.first().let { InetSocketAddress(it.host, it.port) }
        val bytes = requestBytes(order.request, order.targets.first().let { "${it.host}:${it.port}" })
        val expected = order.request.expect.body?.toByteArray()
        return eventLoops.mapIndexed { index, loop ->
            val request = Unpooled.unreleasableBuffer(Unpooled.directBuffer(bytes.size).writeBytes(bytes).asReadOnly())
            LoadLoop(loop, tasks[index], order, bootstrap(loop), address, request, expected, ::saySeconds)
        }
    }

    private fun bootstrap(loop: EventLoop) = Bootstrap().group(loop).channel(channelType)
        .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MILLIS)

    private fun saySeconds(seconds: List<SecondRecord>) = seconds.forEach {
        say(AgentMessage.Second(order.id, it.index, it.sent, it.answered, it.failed, encode(it.latency)))
    }

    private fun pulseUntilFinished(loops: List<LoadLoop>, startNanos: Long) {
        val all = CompletableFuture.allOf(*loops.map { it.finished }.toTypedArray())
        var second = 0
        while (true) {
            val until = startNanos + (second + 1) * 1_000_000_000L
            try {
                all.get(maxOf(1, until - System.nanoTime()), TimeUnit.NANOSECONDS)
                return
            } catch (_: TimeoutException) {
                say(AgentMessage.Pulse(order.id, second, loops.sumOf { it.active }, loops.sumOf { it.answered }, loops.sumOf { it.failed }))
                second++
            }
        }
    }

    private fun done(loops: List<LoadLoop>, startNanos: Long, before: Vitals): AgentMessage.Done {
        val spent = Vitals.now() - before
        val recorders = loops.map { it.recorder }
        return AgentMessage.Done(
            order = order.id,
            windowNanos = maxOf(1, loops.maxOf { it.endedNanos } - startNanos),
            scheduled = recorders.sumOf { it.scheduled },
            sent = recorders.sumOf { it.sent },
            answered = recorders.sumOf { it.answered },
            answeredInWindow = loops.sumOf { it.answeredInWindow },
            unsent = recorders.sumOf { it.unsent },
            unfinished = recorders.sumOf { it.unfinished },
            failures = Outcome.entries.associateWith { o -> recorders.sumOf { it.failures[o.ordinal] } }.filterValues { it > 0 },
            connectionsOpened = loops.sumOf { it.connectionsOpened },
            serviceTime = encode(sum(recorders.map { it.serviceTime })),
            sendDelay = encode(sum(recorders.map { it.sendDelay })),
            health = AgentHealth(
                cpuMillis = spent.cpuNanos / 1e6,
                collections = spent.collections,
                collectionMillis = spent.collectionMillis.toDouble(),
                loopLagMicrosMax = loops.maxOf { it.lagNanosMax } / 1e3,
                quantumMicros = tasks.first().quantumNanos / 1e3,
                eventLoops = loops.size,
            ),
        )
    }

    private fun sum(histograms: List<Histogram>) = histograms.reduce { sum, each -> sum.also { it.add(each) } }
}

private const val CONNECT_TIMEOUT_MILLIS = 10_000
