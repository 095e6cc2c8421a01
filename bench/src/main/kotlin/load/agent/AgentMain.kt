package threadgauge.load.agent

import io.netty.channel.EventLoop
import io.netty.channel.IoHandlerFactory
import io.netty.channel.MultiThreadIoEventLoopGroup
import io.netty.channel.epoll.Epoll
import io.netty.channel.epoll.EpollIoHandler
import io.netty.channel.epoll.EpollSocketChannel
import io.netty.channel.nio.NioIoHandler
import io.netty.channel.socket.SocketChannel
import io.netty.channel.socket.nio.NioSocketChannel
import java.io.PrintStream
import java.util.concurrent.LinkedBlockingQueue
import kotlin.concurrent.thread
import kotlinx.serialization.SerializationException

/**
 * The load agent as a process. It reads work orders as lines of JSON from standard input, one after the other, and
 * writes messages as lines of JSON to standard output. It ends with its standard input, even during a load, so it
 * cannot outlive the process that started it. The only argument is the number of event loops.
 */
fun main(arguments: Array<String>) {
    val transport = if (Epoll.isAvailable()) Transport.EPOLL else Transport.NIO
    val group = MultiThreadIoEventLoopGroup(arguments.firstOrNull()?.toInt() ?: 1, transport.handlers)
    val eventLoops = group.map { it as EventLoop }
    val out = PrintStream(java.io.FileOutputStream(java.io.FileDescriptor.out), true)
    val say = { message: AgentMessage ->
        val line = agentJson.encodeToString(AgentMessage.serializer(), message)
        synchronized(out) { out.println(line) }
    }
    val orders = LinkedBlockingQueue<WorkOrder>()
    thread(name = "orders") {
        for (line in generateSequence(::readlnOrNull)) {
            try {
                orders.put(agentJson.decodeFromString(WorkOrder.serializer(), line))
            } catch (unreadable: SerializationException) {
                say(AgentMessage.Refused(0, "it is no work order: ${unreadable.message}"))
            }
        }
        Runtime.getRuntime().halt(0)
    }
    say(AgentMessage.Ready(ProcessHandle.current().pid()))
    while (true) {
        val order = orders.take()
        try {
            LoadJob(order, eventLoops, transport.channel, say).run()
        } catch (failure: Exception) {
            say(AgentMessage.Refused(order.id, failure.toString()))
        }
    }
}

private enum class Transport(val handlers: IoHandlerFactory, val channel: Class<out SocketChannel>) {
    EPOLL(EpollIoHandler.newFactory(), EpollSocketChannel::class.java),
    NIO(NioIoHandler.newFactory(), NioSocketChannel::class.java),
}
