package threadgauge.load.agent

import io.netty.channel.EventLoop
import io.netty.channel.socket.SocketChannel
import io.netty.util.concurrent.SingleThreadEventExecutor
import java.time.Instant
import java.util.concurrent.CompletableFuture
import java.util.concurrent.Executors
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException
import threadgauge.load.http.Client
import threadgauge.load.http.Slot
import threadgauge.load.record.HistogramPool
import threadgauge.load.record.SecondRecord
import threadgauge.model.AgentHealth
import threadgauge.model.Outcome
import threadgauge.model.Received

/**
 * Carries out one work order on all event loops and reports the result through [say], which is called from several
 * threads.
 */
internal class LoadJob(
    private val order: WorkOrder,
    private val eventLoops: List<EventLoop>,
    private val channelType: Class<out SocketChannel>,
    private val say: (AgentMessage) -> Unit,
) {
    private val tasks = eventLoops.indices.map { loopTask(order, it, eventLoops.size) }

    private val loopThreads = eventLoops.map { (it as SingleThreadEventExecutor).threadProperties().id() }.toLongArray()

    private val histograms = HistogramPool()
    private val speaking = Executors.newSingleThreadExecutor()

    /**
     * Blocks until the load is over. Throws `IllegalArgumentException` on a lead-in that is not shorter than the load.
     */
    fun run() {
        val loadNanos = tasks.first().windowNanos
        require(order.leadInNanos == 0L || order.leadInNanos in 1..<loadNanos) {
            "a lead-in of ${order.leadInNanos} ns must be shorter than its load, which has $loadNanos ns"
        }
        val loops = loops()
        CompletableFuture.allOf(*loops.map { it.prepare() }.toTypedArray()).get()
        val startNanos = startNanos()
        val windowStartNanos = startNanos + order.leadInNanos
        say(AgentMessage.Started(order.id, windowStartNanos, maxOf(0, loadNanos - order.leadInNanos)))
        val all = CompletableFuture.allOf(*loops.map { it.finished }.toTypedArray())
        loops.forEach { it.start(startNanos) }
        if (order.leadInNanos > 0) all.hasEndedBy(windowStartNanos)
        val before = AgentCounters.now(loopThreads)
        pulseUntilFinished(all, loops, windowStartNanos)
        speaking.close()
        say(done(loops, windowStartNanos, before))
    }

    private fun startNanos(): Long {
        val now = System.nanoTime()
        val agreed = order.startAtEpochNanos ?: return now + order.leadNanos
        return now + maxOf(0, agreed - Instant.now().epochNanos)
    }

    private fun loops(): List<LoadLoop> {
        val targets = order.targets.map { it.socketAddress() }
        val encryption = order.connections.tls?.let { Client.Encryption(it, order.connections.protocol) }
        return eventLoops.mapIndexed { index, loop ->
            val newClient = { listener: Slot.Listener ->
                val patience = (order.connectTimeoutNanos / 1_000_000).toInt()
                Client(
                    loop, channelType, targets, order.request, order.connections, encryption, order.seed, patience,
                    listener, scenarios = order.scenarios,
                )
            }
            LoadLoop(loop, tasks[index], order, newClient, histograms, ::saySeconds)
        }
    }

    /** Called by an event loop. Another thread encodes the text, so that the loop stays free for requests. */
    private fun saySeconds(seconds: List<SecondRecord>) = seconds.forEach {
        speaking.execute {
            say(AgentMessage.Second(order.id, it.index, it.sent, it.answered, it.failed, encode(it.latency)))
            histograms.give(it.latency)
        }
    }

    private fun pulseUntilFinished(all: CompletableFuture<Void>, loops: List<LoadLoop>, startNanos: Long) {
        var second = 0
        while (!all.hasEndedBy(startNanos + (second + 1) * 1_000_000_000L)) {
            say(AgentMessage.Pulse(
                order.id, second, loops.sumOf { it.active }, loops.sumOf { it.answered }, loops.sumOf { it.failed },
            ))
            second++
        }
    }

    /** Waits until [nanos] of `System.nanoTime` at most; true if all has ended by then. */
    private fun CompletableFuture<Void>.hasEndedBy(nanos: Long): Boolean = try {
        get(maxOf(1, nanos - System.nanoTime()), TimeUnit.NANOSECONDS)
        true
    } catch (_: TimeoutException) {
        false
    }

    private fun done(loops: List<LoadLoop>, startNanos: Long, before: AgentCounters): AgentMessage.Done {
        val spent = AgentCounters.now(loopThreads) - before
        val recorders = loops.map { it.recorder }
        val answers = loops.flatMap { it.answers }
        return AgentMessage.Done(
            order = order.id,
            windowNanos = maxOf(1, loops.maxOf { it.endedNanos } - startNanos),
            scheduled = recorders.sumOf { it.scheduled },
            sent = recorders.sumOf { it.sent },
            answered = recorders.sumOf { it.answered },
            answeredInWindow = loops.sumOf { it.answeredInWindow },
            unsent = recorders.sumOf { it.unsent },
            unfinished = recorders.sumOf { it.unfinished },
            failures = Outcome.entries.associateWith { o -> recorders.sumOf { it.failures[o.ordinal] } }
                .filterValues { it > 0 },
            connectionsOpened = loops.sumOf { it.connectionsOpened },
            repeated = recorders.sumOf { it.repeated },
            tls = loops.flatMap { it.tls }.distinct(),
            received = Received(answers.sumOf { it.bodyBytes }, answers.sumOf { it.unpackedBytes }),
            counted = addUp(answers.map { it.counted }),
            statuses = addUp(answers.map { it.statuses }),
            serviceTime = encode(sum(recorders.map { it.serviceTime })),
            sendDelay = encode(sum(recorders.map { it.sendDelay })),
            health = AgentHealth(
                cpuMillis = spent.cpuNanos / 1e6,
                collections = spent.collections,
                collectionMillis = spent.collectionMillis.toDouble(),
                loopLagMicrosMax = loops.maxOf { it.lagNanosMax } / 1e3,
                quantumMicros = tasks.first().quantumNanos / 1e3,
                eventLoops = loops.size,
                allocatedBytes = spent.allocatedBytes,
            ),
            scenarios = order.scenarios.indices.map { index -> scenarioDone(loops.map { it.scenarios[index] }) },
            stream = streamDone(answers.mapNotNull { it.stream }),
        )
    }
}
