package threadgauge.checks.bad.run

/** A run that prints; its use of a station is allowed. */
class KnowsTheCommandLine {
    fun print() = threadgauge.checks.bad.cli.Prints()
    fun target() = threadgauge.checks.bad.target.KnowsTheAgentsInside()
}
