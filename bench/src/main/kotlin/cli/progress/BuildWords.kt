package threadgauge.cli.progress

import threadgauge.run.launch.BuildEvent

/** One line for what a build on demand tells. */
internal fun buildWords(event: BuildEvent): String = when (event) {
    is BuildEvent.Building ->
        "Building ${event.modules.joinToString()}; the first time this loads libraries and may take minutes …"
    is BuildEvent.Built -> "Built in ${event.took.inWholeSeconds} s."
}
