package threadgauge.target

import java.time.Duration
import threadgauge.model.Boot
import threadgauge.model.failure.ReadyStep

/** Several equal processes of one stack that serve at the same time. Never empty; [close] closes all. */
class Replicas(private val all: List<StackTarget>) : Target {
    private val first = all.first()

    override val host get() = first.host
    override val port get() = first.port
    override val endpoints get() = all.flatMap { it.endpoints }

    /** The first process: readings of a single JVM come from it. CPU and memory are those of the whole [family]. */
    override val pid get() = first.pid
    override val log get() = first.log

    /** Of the first; the others differ in their port. */
    val command get() = first.command

    override fun family() = all.flatMapTo(LinkedHashSet()) { it.family() }
    override fun checkAlive() = all.forEach { it.checkAlive() }

    /**
     * Waits for one after the other, up to [patience] for each; returns the times of the last to be ready. Throws
     * [TargetFailed].
     */
    fun awaitReady(patience: Duration, step: ReadyStep, isReady: (Endpoint) -> Boolean): Boot =
        all.map { one -> one.awaitReady(patience, step) { one.endpoints.all(isReady) } }.maxBy { it.firstAnswerMillis }

    override fun close() = closeAll(all)

    companion object {
        /**
         * Starts [count] processes; [start] gets the index of each, from 0. If one does not start, the others are
         * stopped.
         */
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

        /** In parallel, because each may take seconds to finish its work. */
        private fun closeAll(all: List<StackTarget>) =
            all.map { Thread.ofVirtual().start(it::close) }.forEach { it.join() }
    }
}
