package threadgauge.load.agent.arrivals

import io.kotest.matchers.comparables.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.ints.shouldBeInRange
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.maps.shouldBeEmpty
import io.kotest.matchers.shouldBe
import java.util.concurrent.ConcurrentLinkedQueue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.load.agent.AgentMessage
import threadgauge.load.agent.EngineTest
import threadgauge.load.agent.MILLI
import threadgauge.load.agent.ProgrammableServer
import threadgauge.load.agent.SECOND
import threadgauge.model.Load
import threadgauge.model.Think
import threadgauge.model.request.Connections

/** Requests arrive as the load specifies. */
@Tag("ports")
class ArrivalsTest : EngineTest() {
    @Test
    fun `the rate of thinking users follows from their think time and the service time`() {
        // Each round takes 50 ms of thinking and 20 ms of waiting, so 10 users come to 143/s; a busy machine is slower.
        val result = ProgrammableServer { Thread.sleep(20); answer() }
            .use { load(it, Load.Users(10, 2 * SECOND, Think(50 * MILLI))) }
        result.done.answered.shouldBeInRange(220L..290L)
        result.latency.p50Micros.shouldBeBetween(20_000.0, 28_000.0, 0.0)
        // No second was closed before its last request: otherwise its latency would be lost.
        result.latency.count shouldBe result.done.sent
    }

    @Test
    fun `think times are drawn between their bounds`() {
        val times = ConcurrentLinkedQueue<Long>()
        ProgrammableServer { times += System.nanoTime(); answer() }
            .use { load(it, Load.Loops(1, 40, Think(5 * MILLI, 45 * MILLI))) }
        val gaps = times.zipWithNext { a, b -> (b - a) / MILLI }
        gaps.min().shouldBeInRange(4L..25L)
        gaps.max() shouldBeGreaterThan 30
        gaps.average().shouldBeBetween(17.0, 40.0, 0.0)
    }

    @Test
    fun `users of a ramp-in start one after the other`() {
        val times = ConcurrentLinkedQueue<Long>()
        val result = ProgrammableServer { number -> if (number >= 0) times += System.nanoTime(); answer() }.use {
            load(it, Load.Users(10, SECOND, Think(10 * SECOND), rampInNanos = 900 * MILLI), loops = 2)
        }
        result.done.connectionsOpened shouldBe 10
        result.done.answered shouldBe 10
        val gaps = times.sorted().zipWithNext { a, b -> (b - a) / 1e6 }.sorted()
        // The median of nine gaps: a late user makes one gap longer and the next shorter.
        gaps[4].shouldBeBetween(85.0, 95.0, 0.0)
        gaps.last().shouldBeBetween(85.0, 180.0, 0.0)
    }

    @Test
    fun `steps follow each other, bursts included`() {
        val steps = Load.Steps(listOf(Load.Rate(50.0, SECOND), Load.Burst(100), Load.Rate(150.0, SECOND)))
        val result = ProgrammableServer { answer() }.use { load(it, steps) }
        result.done.scheduled shouldBe 300
        result.seconds[0].sent.toInt().shouldBeInRange(48..51)
        result.seconds[1].sent.toInt().shouldBeInRange(248..252)
        result.done.failures.shouldBeEmpty()
    }

    @Test
    fun `a burst at the very end of steps is sent completely`() {
        val steps = Load.Steps(listOf(Load.Rate(50.0, SECOND), Load.Burst(100)))
        val few = Connections(maxUnderWay = 10)
        val result = ProgrammableServer { answer() }
            .use { load(it, steps, loops = 2) { order -> order.copy(connections = few) } }
        result.done.answered shouldBe 150
        result.done.unsent shouldBe 0
    }

    @Test
    fun `requests due within the window are sent even if the bench wakes after its end`() {
        val late = ProgrammableServer { number -> if (number == 1) stall(600 * MILLI); answer() }
            .use { load(it, Load.Rate(20.0, 500 * MILLI)) }
        late.done.answered shouldBe 10
        late.done.unsent shouldBe 0
        // Number 2 was intended for 100 ms and sent after 600 ms or more.
        late.latency.maxMicros shouldBeGreaterThan 400_000.0
    }

    @Test
    fun `random arrivals are the same for the same seed, and have the rate on average`() {
        val load = Load.Poisson(300.0, 2 * SECOND, seed = 5)
        val first = ProgrammableServer { answer() }.use { load(it, load) }
        // The standard deviation of the count is its square root: 600 ± 24.5, here within four of those.
        first.done.sent.shouldBeInRange(502L..698L)
        val halves = (0..1).map { slice ->
            ProgrammableServer { answer() }.use { load(it, load) { order -> order.copy(slice = slice, slices = 2) } }
        }
        halves.sumOf { it.done.sent } shouldBe first.done.sent
    }

    @Test
    fun `a ramp up and down keeps its rate in every second`() {
        val ramp = Load.Steps(listOf(Load.Ramp(5.0, 500.0, 3 * SECOND), Load.Ramp(500.0, 5.0, 3 * SECOND)))
        val result = ProgrammableServer { answer() }.use { load(it, ramp) }
        // The area under a slope of 165 per second each second: 5 t + 82.5 t², up and mirrored down.
        val wanted = listOf(87.5, 252.5, 417.5, 417.5, 252.5, 87.5)
        result.seconds.take(6).map { it.sent }.zip(wanted) { sent, due ->
            // A timer that fires late at the end of a second moves what was due then; benchmarks/ramp says how exact it
            // is elsewhere.
            sent.toDouble().shouldBeBetween(due - 10, due + 10, 0.0)
        }
        // 757.5 arrivals on each slope, the last of each within it.
        result.done.sent shouldBe 1_516
    }

    @Test
    fun `connections may be opened all at once`() {
        val result = ProgrammableServer { answer() }.use {
            load(it, Load.Loops(300, 1)) { order -> order.copy(connections = Connections(atOnce = true)) }
        }
        result.done.answered shouldBe 300
        result.done.connectionsOpened shouldBe 300
    }

    @Test
    fun `several agents begin together at the agreed time`() {
        val soon = System.currentTimeMillis() + 400
        val result = ProgrammableServer { answer() }
            .use { load(it, Load.Loops(1, 1)) { o -> o.copy(startAtEpochNanos = soon * MILLI) } }
        val started = result.messages.filterIsInstance<AgentMessage.Started>().single().startNanos
        val lateMillis = (started - System.nanoTime()) / 1e6 + System.currentTimeMillis() - soon
        lateMillis.shouldBeBetween(-5.0, 5.0, 0.0)
    }
}
