package threadgauge.checks.bad.load.http

import threadgauge.checks.bad.target.KnowsTheAgentsInside

/** A sender that knows more than an address. */
class KnowsTheTarget {
    fun target() = KnowsTheAgentsInside()
}
