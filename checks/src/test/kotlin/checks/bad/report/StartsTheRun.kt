package threadgauge.checks.bad.report

import threadgauge.checks.bad.run.KnowsTheCommandLine

/** A report that reaches back. */
class StartsTheRun {
    fun run() = KnowsTheCommandLine()
}
