package threadgauge.cli.progress

import com.github.ajalt.mordant.rendering.TextColors.green
import com.github.ajalt.mordant.rendering.TextColors.red
import com.github.ajalt.mordant.rendering.TextColors.yellow
import threadgauge.model.judgement.ProbeOutcome
import threadgauge.report.knee.kneeProbeLine
import threadgauge.run.RunEvent

/** The result of a probe, in one line of progress. */
internal fun probeLine(event: RunEvent.Probed): String {
    val whose = if (event.stacks > 1) event.planned.stack.padEnd(STACK_WIDTH) + " " else ""
    val line = whose + kneeProbeLine(event.probe)
    return when (event.probe.outcome) {
        ProbeOutcome.KEPT -> green(line)
        ProbeOutcome.BROKEN -> red(line)
        ProbeOutcome.AGENT, ProbeOutcome.LATE -> yellow(line)
        null -> line
    }
}
