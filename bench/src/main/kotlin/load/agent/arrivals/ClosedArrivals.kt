package threadgauge.load.agent.arrivals

import io.netty.channel.EventLoop
import java.util.SplittableRandom
import java.util.concurrent.TimeUnit.NANOSECONDS
import threadgauge.load.agent.LoopTask
import threadgauge.load.http.Slot
import threadgauge.load.record.LoadRecorder

/**
 * Closed load: each user waits for an answer, thinks, and sends the next request, on a slot of its own. The intended
 * time of that request is the end of the think time, so a timer that fires late shows in the latency.
 */
internal class ClosedArrivals(
    private val loop: EventLoop,
    private val task: LoopTask,
    private val users: List<Slot>,
    private val startNanos: Long,
    private val endNanos: Long,
    private val recorder: LoadRecorder,
    seed: Long,
    private val attempt: Attempt,
) : Arrivals {
    private val random = SplittableRandom(seed + task.part)
    private var usersLeft = users.size
    private var sent = 0L

    override fun isOver(nowNanos: Long) = usersLeft == 0 || nowNanos >= endNanos

    override fun begin(nowNanos: Long) = users.forEachIndexed { index, user ->
        val comesInNanos = startNanos + task.comesInNanos(index)
        if (comesInNanos <= nowNanos) ask(user, nowNanos, nowNanos) else askAt(user, comesInNanos)
    }

    override fun free(slot: Slot, nowNanos: Long, calm: Boolean, restNanos: Long) {
        val think = task.think
        when {
            slot.begun == task.loops -> usersLeft--
            think != null || restNanos > 0 -> {
                val thinks = if (think == null) 0 else random.nextLong(think.minNanos, think.maxNanos + 1)
                askAt(slot, nowNanos + maxOf(thinks + restNanos, if (calm) 0 else CALM_NANOS))
            }
            calm -> ask(slot, nowNanos, nowNanos)
            else -> loop.schedule({ System.nanoTime().let { ask(slot, it, it) } }, CALM_NANOS, NANOSECONDS)
        }
    }

    override fun leave(slot: Slot, nowNanos: Long) = Unit

    override fun nextIntendedNanos(nowNanos: Long) = nowNanos

    override fun unsent(each: (Long) -> Unit) = Unit

    private fun askAt(user: Slot, intendedNanos: Long) {
        if (intendedNanos >= endNanos) return
        recorder.expect(intendedNanos)
        val fire = {
            recorder.expectNoMore(intendedNanos)
            ask(user, intendedNanos, System.nanoTime())
        }
        loop.schedule(fire, intendedNanos - System.nanoTime(), NANOSECONDS)
    }

    private fun ask(user: Slot, intendedNanos: Long, nowNanos: Long) {
        if (nowNanos >= endNanos) return
        user.begun++
        user.number = task.part + sent++ * task.parts
        attempt.attempt(user, intendedNanos, nowNanos)
    }
}

/** Pause of a user whose request failed without an answer, so that a dead server is not flooded with attempts. */
internal const val CALM_NANOS = 10_000_000L
