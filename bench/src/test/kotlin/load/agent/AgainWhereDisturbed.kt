package threadgauge.load.agent

import java.lang.reflect.InvocationTargetException
import java.util.concurrent.locks.LockSupport
import kotlin.concurrent.thread
import org.junit.jupiter.api.extension.AfterTestExecutionCallback
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback
import org.junit.jupiter.api.extension.ExtensionContext
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler

/**
 * Repeats a failed test if the machine was disturbed meanwhile, up to [TRIES] attempts in all. Tests of durations rely
 * on a machine that gives a runnable thread a core at once. A test that fails on a calm machine has failed.
 */
internal class AgainWhereDisturbed :
    BeforeTestExecutionCallback, AfterTestExecutionCallback, TestExecutionExceptionHandler {
    override fun beforeTestExecution(context: ExtensionContext) = context.store().put(WATCH, Watch())

    override fun handleTestExecutionException(context: ExtensionContext, throwable: Throwable) {
        val first = context.store().remove(WATCH, Watch::class.java)!!
        repeated(throwable, first.worstNanos()) {
            val watch = Watch()
            val failure =
                runCatching { context.requiredTestMethod.invoke(context.requiredTestInstance) }.exceptionOrNull()
            Attempt(failure?.let { (it as? InvocationTargetException)?.targetException ?: it }, watch.worstNanos())
        }
    }

    override fun afterTestExecution(context: ExtensionContext) {
        context.store().remove(WATCH, Watch::class.java)?.worstNanos()
    }

    /** The result of a test, and the longest time that a thread waited for a core meanwhile. */
    internal class Attempt(val failure: Throwable?, val worstNanos: Long)

    /** A thread that becomes runnable once per millisecond. */
    private class Watch {
        @Volatile
        private var over = false
        private var worst = 0L
        private val watching = thread(isDaemon = true, name = "watch") {
            while (!over) {
                val before = System.nanoTime()
                LockSupport.parkNanos(MILLI)
                worst = maxOf(worst, System.nanoTime() - before - MILLI)
            }
        }

        /** Stops the thread. */
        fun worstNanos(): Long {
            over = true
            watching.join()
            return worst
        }
    }

    internal companion object {
        private const val WATCH = "watch"
        private const val TRIES = 5

        /** The tests tolerate some milliseconds. */
        const val CALM_NANOS = 4 * MILLI

        private fun ExtensionContext.store() =
            getStore(ExtensionContext.Namespace.create(AgainWhereDisturbed::class, requiredTestMethod))

        /** Throws the last failure unless a disturbed attempt is followed by one that succeeds. */
        fun repeated(failure: Throwable, worstNanos: Long, attempt: () -> Attempt) {
            var last = Attempt(failure, worstNanos)
            repeat(TRIES - 1) {
                if (last.worstNanos < CALM_NANOS) throw last.failure!!
                last = attempt()
                if (last.failure == null) return
            }
            val words = "failed $TRIES times on a machine that was disturbed, last for ${last.worstNanos / MILLI} ms"
            throw AssertionError(words, last.failure)
        }
    }
}
