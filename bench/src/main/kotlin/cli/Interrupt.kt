package threadgauge.cli

import sun.misc.Signal
import threadgauge.run.Cancellation

/**
 * Runs [block] so that Ctrl-C, TERM and a closed terminal end it through [cancellation]: processes are stopped and the
 * record is finished. A second Ctrl-C exits at once. Then the supervisors stop the remaining processes, and the record
 * on disk is the last complete one. [doing] is printed when the first signal arrives.
 */
internal fun <T> onInterrupt(cancellation: Cancellation, doing: String = WRITING_A_REPORT, block: () -> T): T {
    val signals = listOf("INT", "TERM", "HUP").map { Signal(it) }
    val before = signals.map { signal ->
        Signal.handle(signal) {
            if (cancellation.isCancelled) Runtime.getRuntime().halt(ExitCode.INTERRUPTED.number)
            System.err.println("\nInterrupted: $doing. Press Ctrl-C again to exit at once.")
            Thread({ cancellation.cancel() }, "cancel").start()
        }
    }
    try {
        return block()
    } finally {
        signals.zip(before).forEach { (signal, handler) -> Signal.handle(signal, handler) }
    }
}

private const val WRITING_A_REPORT = "stopping the servers and writing the report"
