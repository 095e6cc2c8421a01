package threadgauge.target

import java.time.Duration
import threadgauge.model.Boot
import threadgauge.model.failure.ReadyStep

/**
 * Several processes of one stack that serve at one time, none of which is more than another. Never empty; closing
 * closes all.
 */
class Replicas(private val all: List<StackTarget>) : Target {
    private val first = all.first()

    override val host get() = first.host
    override val port get() = first.port
    override val endpoints get() = all.flatMap { it.endpoints }

    /**
     * Of the first: what one JVM says of itself is asked of that one. CPU and memory are those of the whole [family].
     */
    override val pid get() = first.pid
    override val log get() = first.log

    /** Of the first; the others differ in their port. */
    val command get() = first.command

    override fun family() = all.flatMapTo(LinkedHashSet()) { it.family() }
    override fun checkAlive() = all.forEach { it.checkAlive() }

    /** Waits for one after the other, each as long as [patience]; gives back the times of the last to be ready. */
    fun awaitReady(patience: Duration, step: ReadyStep, isReady: (Endpoint) -> Boolean): Boot =
        all.map { one -> one.awaitReady(patience, step) { one.endpoints.all(isReady) } }.maxBy { it.firstAnswerMillis }

    override fun close() = closeAll(all)

    companion object {
        /** [start] starts the one with that number, from 0. Where one does not start the others are stopped. */
        fun start(count: Int, start: (Int) -> StackTarget): Replicas {
            val started = ArrayList<StackTarget>()
            try {
                repeat(count) { started += start(it) }
            } catch (failure: Exception) {
                closeAll(started)
                throw failure
            }
            return Replicas(started)
        }

        /** At one time, because each may take seconds to end what it has begun. */
        private fun closeAll(all: List<StackTarget>) =
            all.map { Thread.ofVirtual().start(it::close) }.forEach { it.join() }
    }
}
