package threadgauge.tickets.service.http

import io.netty.channel.EventLoop
import java.util.concurrent.RejectedExecutionException
import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Dispatchers

/** Runs coroutines on one event loop. A coroutine that is already on it continues without a dispatch. */
internal class EventLoopDispatcher(private val loop: EventLoop) : CoroutineDispatcher() {
    override fun isDispatchNeeded(context: CoroutineContext) = !loop.inEventLoop()

    override fun dispatch(context: CoroutineContext, block: Runnable) = try {
        loop.execute(block)
    } catch (_: RejectedExecutionException) {
        // The server has stopped; the remaining requests are answered on another thread.
        Dispatchers.Default.dispatch(context, block)
    }
}
