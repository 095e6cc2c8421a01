package threadgauge.cli.progress

import threadgauge.run.launch.BuildEvent

/** A line of progress for an event of a build on demand. */
internal fun buildWords(event: BuildEvent): String = when (event) {
    is BuildEvent.Building ->
        "Building ${event.modules.joinToString()}; the first build downloads libraries and may take minutes …"
    is BuildEvent.Built -> "Built in ${event.took.inWholeSeconds} s."
}
