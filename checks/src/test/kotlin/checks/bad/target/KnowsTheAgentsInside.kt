package threadgauge.checks.bad.target

import threadgauge.checks.bad.load.http.KnowsTheTarget

/** A target that sends requests with the agent's own parts. */
class KnowsTheAgentsInside {
    fun send() = KnowsTheTarget()
}
