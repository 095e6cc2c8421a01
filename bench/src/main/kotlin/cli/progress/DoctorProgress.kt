package threadgauge.cli.progress

import com.github.ajalt.mordant.rendering.TextStyles.dim
import com.github.ajalt.mordant.terminal.Terminal
import java.util.Locale
import kotlin.time.Duration.Companion.seconds
import threadgauge.doctor.Doctor
import threadgauge.doctor.DoctorEvent

/** Prints the progress of the doctor. Called on the thread of the command. */
internal interface DoctorProgress : AutoCloseable {
    fun hear(event: DoctorEvent)

    override fun close() = Unit
}

/** A moving line on interactive terminals, plain lines elsewhere. */
internal fun doctorProgressFor(terminal: Terminal): DoctorProgress =
    if (terminal.terminalInfo.outputInteractive) {
        MovingDoctorProgress(terminal)
    } else {
        PlainDoctorProgress { terminal.println(it) }
    }

/**
 * A line for each step, the first with the time that all take; equal consecutive steps have one line. An empty line
 * separates them from the report.
 */
internal class PlainDoctorProgress(private val print: (String) -> Unit) : DoctorProgress {
    private var last = ""

    override fun hear(event: DoctorEvent) {
        val words = beginning(event)
        val first = if (last.isEmpty()) " (about ${Doctor.SECONDS} s in all)" else ""
        if (words != last) print(dim("$words$first …"))
        last = words
    }

    override fun close() = print("")
}

/** A single line with the current step and the time left. It is removed at the end. */
internal class MovingDoctorProgress(terminal: Terminal) : DoctorProgress {
    private val line = MovingLine(terminal).apply { endsIn(Doctor.SECONDS.seconds) }

    override fun hear(event: DoctorEvent) {
        val part = when (event) {
            is DoctorEvent.Racing -> ", ${event.number} of ${event.of}"
            is DoctorEvent.Comparing -> ", ${event.number} of ${event.of}"
            else -> ""
        }
        line.say(beginning(event) + part)
    }

    override fun close() = line.close()
}

/** The step that begins with this event. */
private fun beginning(event: DoctorEvent): String = when (event) {
    DoctorEvent.Looking -> "Looking at the machine"
    DoctorEvent.WarmingUp -> "Warming up the load agent"
    is DoctorEvent.Racing -> "Measuring the maximum throughput of the load agent"
    is DoctorEvent.Pacing ->
        "Measuring the send delay at %,.0f/s".format(Locale.ROOT, event.ratePerSecond)
    DoctorEvent.StartingSecond -> "Starting a second, equal server"
    is DoctorEvent.Comparing -> "Measuring how much two equal servers seem to differ"
}
