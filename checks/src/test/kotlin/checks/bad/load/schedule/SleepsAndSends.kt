package threadgauge.checks.bad.load.schedule

import threadgauge.checks.bad.load.http.KnowsTheTarget
import java.net.Socket

/** A schedule that keeps to itself. */
class SleepsAndSends {
    fun sleep() = Thread.sleep(1)
    fun socket() = Socket()
    fun send() = KnowsTheTarget()
}
