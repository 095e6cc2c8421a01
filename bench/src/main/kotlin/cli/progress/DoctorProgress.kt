package threadgauge.cli.progress

import com.github.ajalt.mordant.rendering.TextStyles.dim
import com.github.ajalt.mordant.terminal.Terminal
import java.util.Locale
import kotlin.time.Duration.Companion.seconds
import threadgauge.doctor.Doctor
import threadgauge.doctor.DoctorEvent

/** Tells people how the doctor gets on. Heard on the command's thread. */
internal interface DoctorProgress : AutoCloseable {
    fun hear(event: DoctorEvent)

    override fun close() = Unit
}

/** A line that moves on a terminal that can, plain lines elsewhere. */
internal fun doctorProgressFor(terminal: Terminal): DoctorProgress =
    if (terminal.terminalInfo.outputInteractive) {
        MovingDoctorProgress(terminal)
    } else {
        PlainDoctorProgress { terminal.println(it) }
    }

/**
 * A line for each thing that begins; of several alike, for the first alone. An empty line sets them off from the
 * report.
 */
internal class PlainDoctorProgress(private val print: (String) -> Unit) : DoctorProgress {
    private var last = ""

    override fun hear(event: DoctorEvent) {
        val words = beginning(event)
        if (words != last) print(dim("$words …"))
        last = words
    }

    override fun close() = print("")
}

/** One line that says what is going on and how long it will take, and is gone at the end. */
internal class MovingDoctorProgress(terminal: Terminal) : DoctorProgress {
    private val line = MovingLine(terminal).apply { endsIn(Doctor.SECONDS.seconds) }

    override fun hear(event: DoctorEvent) {
        val part = if (event is DoctorEvent.Racing) ", ${event.number} of ${event.of}" else ""
        line.say(beginning(event) + part)
    }

    override fun close() = line.close()
}

/** What goes on from this event on. */
private fun beginning(event: DoctorEvent): String = when (event) {
    DoctorEvent.Looking -> "Looking at the machine"
    DoctorEvent.WarmingUp -> "Warming the load agent up"
    is DoctorEvent.Racing -> "Finding out how fast the load agent is"
    is DoctorEvent.Pacing ->
        "Finding out how late requests leave, at %,.0f per second".format(Locale.ROOT, event.ratePerSecond)
}
