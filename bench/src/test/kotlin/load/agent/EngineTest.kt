package threadgauge.load.agent

import io.netty.channel.EventLoop
import io.netty.channel.MultiThreadIoEventLoopGroup
import io.netty.channel.nio.NioIoHandler
import io.netty.channel.socket.nio.NioSocketChannel
import io.netty.util.concurrent.DefaultThreadFactory
import java.util.Collections
import org.junit.jupiter.api.extension.ExtendWith
import threadgauge.model.Load
import threadgauge.model.request.Expectation
import threadgauge.model.request.Request

internal const val MILLI = 1_000_000L
internal const val SECOND = 1_000 * MILLI

/** Puts loads on the tests' own servers, and keeps all messages of the engine. */
@ExtendWith(AgainWhereDisturbed::class)
abstract class EngineTest {
    internal class Result(val messages: List<AgentMessage>) {
        val done = messages.last() as AgentMessage.Done
        private val series = LoadSeries().also { messages.forEach(it::hear) }
        val latency = summary(series.latency())
        val seconds = series.seconds()

        fun histogramMillis(percentile: Double) = series.latency().getValueAtPercentile(percentile) / 1e6
    }

    internal fun load(server: ProgrammableServer, load: Load, loops: Int = 1, edit: (WorkOrder) -> WorkOrder = { it }) =
        load(server.port, load, loops, edit)

    /** The answer must be `ok`, unless [edit] changes that. */
    internal fun load(port: Int, load: Load, loops: Int = 1, edit: (WorkOrder) -> WorkOrder = { it }): Result {
        val request = Request(path = "/", expect = Expectation(body = "ok"))
        val order = edit(WorkOrder(1, load, request, listOf(Address("127.0.0.1", port))))
        val messages = Collections.synchronizedList(ArrayList<AgentMessage>())
        LoadJob(order, group.map { it as EventLoop }.take(loops), NioSocketChannel::class.java, messages::add).run()
        return Result(messages.toList())
    }

    /** Blocks the engine's first event loop, as a busy machine does. */
    internal fun stall(nanos: Long) = group.first().execute { Thread.sleep(nanos / MILLI) }

    private companion object {
        /** Shared by all test classes; its threads are daemons. */
        val group = MultiThreadIoEventLoopGroup(2, DefaultThreadFactory("engine", true), NioIoHandler.newFactory())
    }
}
